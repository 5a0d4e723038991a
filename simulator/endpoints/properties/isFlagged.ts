/** Whether a flag is as wanted: yes for true or 1, no for false or 0. One that is not known is neither. */
export function isFlagged(flag: 0 | 1 | null, wanted: boolean | 0 | 1 | undefined): boolean {
  return wanted === undefined || flag === Number(wanted);
}
