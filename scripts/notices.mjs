// Writes the notices of everything that the packages carry: notices.mjs NODE_MODULES OUTPUT
//
// From Cargo's metadata and npm's lock file, with the licence texts that the parts themselves hold; a text that
// several parts share stands once. Then what the crates say about data of others (their data/LICENSES.md).
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [nodeModules, output] = process.argv.slice(2);
const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i;

function licenceTexts(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
}

/** Crates that are compiled into the window on this system, without build and test dependencies. */
function crates() {
  const read = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const linked = read("cargo", "tree", "--locked", "--package", "catbuddy-workbench", "--edges", "normal", "--prefix", "none", "--format", "{p}");
  const used = new Set(linked.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const metadata = JSON.parse(read("cargo", "metadata", "--locked", "--format-version", "1"));
  return metadata.packages
    .filter((part) => part.source !== null && used.has(`${part.name} v${part.version}`))
    .map((part) => ({ ...part, texts: licenceTexts(dirname(part.manifest_path)) }));
}

function npmParts() {
  const { packages } = JSON.parse(readFileSync(join(nodeModules, "../package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, part]) => path !== "" && !part.dev && !part.optional)
    .map(([path, { version, license }]) => ({
      name: path.replace(/^.*node_modules\//, ""),
      version,
      license,
      texts: licenceTexts(join(nodeModules, "..", path)),
    }));
}

const parts = [...crates(), ...npmParts()].sort((a, b) => a.name.localeCompare(b.name));
const byText = new Map();
for (const { name, texts } of parts) {
  for (const text of texts) byText.set(text, [...(byText.get(text) ?? []), name]);
}

/** What each of our own crates says about the data it carries. */
function dataNotices() {
  const files = readdirSync("crates").map((crate) => join("crates", crate, "data/LICENSES.md"));
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8").trim());
}

const list = parts.map(({ name, version, license }) => `${name} ${version}: ${license ?? "see its text"}`).join("\n");
const texts = [...byText].map(([text, names]) => `${"-".repeat(80)}\n${names.join(", ")}\n\n${text}`).join("\n\n");
const data = dataNotices().join("\n\n");
writeFileSync(output, `Catbuddy Workbench contains the work of others.\n\n${list}\n\n${data}\n\n${texts}\n`);
console.error(`${parts.length} parts, ${byText.size} licence texts`);
