// Makes one table of the rows that the benchmarks appended: bench-table.mjs ROWS.jsonl OUTPUT.json
//
// A row: {bench, size, value_ns, floor_ns, ratio}. The floor is what cannot be avoided (the raw stat calls, a copy of
// the text, one pass of the tokenizer), measured beside the value, so that the ratio means the same on every machine.
import { readFileSync, writeFileSync } from "node:fs";

const [source, output] = process.argv.slice(2);
const rows = readFileSync(source, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
writeFileSync(output, `${JSON.stringify({ schema_version: 1, rows }, null, 2)}\n`);

const milliseconds = (nanoseconds) => (nanoseconds / 1e6).toFixed(3).padStart(12);
console.log(`${"".padEnd(56)}${"ms".padStart(12)}${"floor".padStart(12)}${"ratio".padStart(10)}`);
for (const { bench, size, value_ns: value, floor_ns: floor, ratio } of rows) {
  const label = `${bench}, ${size}`.padEnd(56);
  console.log(`${label}${milliseconds(value)}${milliseconds(floor)}${ratio.toFixed(2).padStart(10)}`);
}
