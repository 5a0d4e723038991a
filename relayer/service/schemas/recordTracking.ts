/** The date of every record that the service had before it began to track changes (specification, data start dates). */
export const TRACKING_BASELINE = "2024-12-13";

/**
 * Whether a record's date of tracking (`record_added_date`, `record_updated_date`) only says that the record is older
 * than tracking, not when it was added or changed.
 */
export function isFromBeforeTracking(date: string | null | undefined): boolean {
  return date === TRACKING_BASELINE;
}
