import { existsSync } from "node:fs";

/** Where systems put Chromium, and the browsers made from it. */
const USUAL_PATHS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Path of a Chromium: HOMEPRICE_CHROMIUM, or where it usually is; `undefined` when there is none. */
export function findChromium(): string | undefined {
  const named = process.env["HOMEPRICE_CHROMIUM"];
  return named ? named : USUAL_PATHS.find((path) => existsSync(path));
}
