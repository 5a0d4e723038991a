import { chmod, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { openReplacedFile, replaceFile } from "../../relayer/command-line/replacedFile.ts";
import { rejectionOf } from "../service/priceServer.ts";
import { folderWith } from "./commandInFolder.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await folderWith({ "data.csv": "old" });
  path = join(folder, "data.csv");
});

test("nothing is to be seen of a file before it is complete", async () => {
  const file = await openReplacedFile(path);
  await file.write("new ");
  await file.write("text");
  expect(await readFile(path, "utf8")).toBe("old");
  await file.commit();
  expect(await readFile(path, "utf8")).toBe("new text");
  expect(await readdir(folder)).toEqual(["data.csv"]);
});

test("what is discarded leaves nothing behind", async () => {
  const file = await openReplacedFile(path);
  await file.write("new");
  await file.discard();
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readdir(folder)).toEqual(["data.csv"]);
});

test("what is kept as another file leaves the first alone", async () => {
  const file = await openReplacedFile(path);
  await file.write("half");
  await file.keepAs(`${path}.partial`);
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readFile(`${path}.partial`, "utf8")).toBe("half");
  expect((await readdir(folder)).toSorted()).toEqual(["data.csv", "data.csv.partial"]);
});

test("permissions stay, and a link stays a link", async () => {
  await chmod(path, 0o640);
  await symlink("data.csv", join(folder, "link.csv"));
  await replaceFile(join(folder, "link.csv"), "new");
  expect(await readFile(path, "utf8")).toBe("new");
  expect((await stat(path)).mode & 0o777).toBe(0o640);
  expect((await readdir(folder)).toSorted()).toEqual(["data.csv", "link.csv"]);
});

test("a file that is not there yet is made", async () => {
  await replaceFile(join(folder, "new.csv"), "text");
  expect(await readFile(join(folder, "new.csv"), "utf8")).toBe("text");
});

test("a folder that is not there is said before anything is written", async () => {
  expect(await rejectionOf(openReplacedFile(join(folder, "none", "x.csv")))).toMatchObject({ code: "FILE_UNWRITABLE" });
});

test("what is no file is never replaced", async () => {
  await mkdir(join(folder, "sub"));
  for (const target of [join(folder, "sub"), "/dev/null"]) {
    expect(await rejectionOf(openReplacedFile(target))).toMatchObject({
      code: "FILE_UNWRITABLE",
      kind: "configuration",
    });
  }
  expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
});

test("a failure while text is turned into other text leaves the first as it was", async () => {
  const file = await openReplacedFile(path);
  await file.write("one");
  await rejectionOf(
    file.rewrite(async (_from, write) => {
      await write("half");
      throw new Error("no");
    }),
  );
  await file.rewrite(async (from, write) => write(`${await readFile(from, "utf8")}, two`));
  await file.write(", three");
  await file.commit();
  expect(await readFile(path, "utf8")).toBe("one, two, three");
  expect(await readdir(folder)).toEqual(["data.csv"]);
});
