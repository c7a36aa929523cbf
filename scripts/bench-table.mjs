// Gathers what criterion measured into one table: bench-table.mjs CRITERION_FOLDER OUTPUT
//
// Times are medians in nanoseconds, with the 95% interval criterion gives. A benchmark group that measures a
// `floor` (raw stat calls, a memcpy, one tokenizer pass) gets each row's ratio to it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, output] = process.argv.slice(2);

/** Every folder below `start` that criterion wrote results of the last run into. */
function* measured(start) {
  for (const entry of readdirSync(start, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === "report") continue;
    const path = join(start, entry.name);
    if (entry.name === "new" && existsSync(join(path, "estimates.json"))) yield path;
    else yield* measured(path);
  }
}

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

const rows = [];
for (const path of existsSync(folder) ? measured(folder) : []) {
  const { group_id: group, function_id: name, value_str: size, throughput } = read(join(path, "benchmark.json"));
  const { median } = read(join(path, "estimates.json"));
  const { lower_bound: low, upper_bound: high } = median.confidence_interval;
  rows.push({ group, name, size, nanoseconds: median.point_estimate, low, high, throughput });
}
for (const row of rows) {
  const floor = rows.find((other) => other.group === row.group && other.name === "floor" && other.size === row.size);
  row.ratio_to_floor = floor ? row.nanoseconds / floor.nanoseconds : null;
}
rows.sort((a, b) => `${a.group} ${a.name} ${a.size}`.localeCompare(`${b.group} ${b.name} ${b.size}`));
writeFileSync(output, `${JSON.stringify({ schema_version: 1, rows }, null, 2)}\n`);

for (const { group, name, size, nanoseconds, ratio_to_floor: ratio } of rows) {
  const label = [group, name, size].filter(Boolean).join(" / ");
  const floor = ratio === null ? "" : `   ${ratio.toFixed(2)} x floor`;
  console.log(`${label.padEnd(64)} ${(nanoseconds / 1e6).toFixed(4).padStart(12)} ms${floor}`);
}
