// Times mongodb-schema on documents that are parsed already: a line with a number of iterations in, seconds out.
//
//     NODE_PATH=.peers/node_modules node schema.js readings.ndjson

"use strict";

const fs = require("fs");
const readline = require("readline");
const { parseSchema } = require("mongodb-schema");

const documents = fs.readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const start = process.hrtime.bigint();
    for (let iteration = 0; iteration < Number(line); iteration += 1) {
      const schema = await parseSchema(documents);
      if (schema.count !== documents.length) throw new Error(`${schema.count} documents analyzed`);
    }
    console.log(Number(process.hrtime.bigint() - start) / 1e9);
  }
}

main();
