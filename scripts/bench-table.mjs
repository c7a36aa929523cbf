// Makes one table of the rows that the benchmarks appended: bench-table.mjs ROWS.jsonl OUTPUT.json KEPT.json
//
// A row: {bench, size, value_ns, floor_ns, ratio}. The floor is what cannot be avoided (the raw stat calls, a copy of
// the text, one pass of the tokenizer), measured beside the value, so that the ratio means the same on every machine.
// KEPT.json holds the ratios that were committed; with CBW_KEEP_RATIOS=1 it is written anew.
import { readFileSync, writeFileSync } from "node:fs";

const [source, output, keptAt] = process.argv.slice(2);
const kept = JSON.parse(readFileSync(keptAt, "utf8")).ratios;
const rows = readFileSync(source, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
writeFileSync(output, `${JSON.stringify({ schema_version: 1, rows }, null, 2)}\n`);

const milliseconds = (nanoseconds) => (nanoseconds / 1e6).toFixed(3).padStart(12);
const shown = (ratio) => (ratio === undefined ? "–" : ratio.toFixed(2)).padStart(10);
const heading = ["ms".padStart(12), "floor".padStart(12), "ratio".padStart(10), "committed".padStart(10)];
console.log("".padEnd(56) + heading.join(""));
const ratios = {};
for (const { bench, size, value_ns: value, floor_ns: floor, ratio } of rows) {
  const label = `${bench}, ${size}`;
  ratios[label] = Number(ratio.toPrecision(3));
  console.log(label.padEnd(56) + milliseconds(value) + milliseconds(floor) + shown(ratio) + shown(kept[label]));
}
if (process.env.CBW_KEEP_RATIOS === "1") {
  writeFileSync(keptAt, `${JSON.stringify({ schema_version: 1, ratios }, null, 2)}\n`);
}
