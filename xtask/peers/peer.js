// node-oracledb as a co-process: one JSON request per line in, one JSON answer per line out.
//
// The protocol and the neutral rendering of OSON values are described in README.md beside this file.
// Started with NODE_PATH naming the folder that holds `oracledb`.
'use strict';

// The driver reads and writes dates in the local time of the process.
process.env.TZ = 'UTC';

const path = require('path');
const readline = require('readline');

const root = path.dirname(require.resolve('oracledb/package.json'));
const oracledb = require(root);
const oson = require(path.join(root, 'lib/impl/datahandlers/oson.js'));
const transformer = require(path.join(root, 'lib/transformer.js'));
const types = require(path.join(root, 'lib/types.js'));

// What the driver uses with a server from 23ai on; older servers allow 255.
const MAX_NAME_BYTES = 65535;
const NS_PER_DAY = 86400n * 1000000000n;

/** The driver has no value that could stand for the one asked for. */
class Inexpressible extends Error {}

// ---- rendering what the driver returned -------------------------------------------------------------

function doubleBits(number) {
  const buf = Buffer.alloc(8);
  buf.writeDoubleBE(number);
  return buf.toString('hex');
}

function floatBits(number) {
  const buf = Buffer.alloc(4);
  buf.writeFloatBE(number);
  return buf.toString('hex');
}

const VECTORS = [
  ['float32', Float32Array, floatBits, (v) => Buffer.from(v, 'hex').readFloatBE()],
  ['float64', Float64Array, doubleBits, (v) => Buffer.from(v, 'hex').readDoubleBE()],
  ['int8', Int8Array, (v) => v, (v) => v],
  ['binary', Uint8Array, (v) => v, (v) => v],
];

function renderVector(values) {
  const [format, , out] = VECTORS.find(([, type]) => values instanceof type);
  return { t: 'vector', format, v: Array.from(values, out) };
}

function renderDate(date) {
  if (Number.isNaN(date.getTime()))
    return { t: 'timestamp', v: 'invalid' };
  const [moment, fraction] = date.toISOString().slice(0, -1).split('.');
  return { t: 'timestamp', v: `${moment}.${fraction}000000` };
}

function renderIntervalDS(i) {
  const seconds = BigInt(i.hours) * 3600n + BigInt(i.minutes) * 60n + BigInt(i.seconds);
  const total = BigInt(i.days) * NS_PER_DAY + seconds * 1000000000n + BigInt(i.fseconds);
  return { t: 'intervalds', v: total.toString() };
}

function render(value) {
  if (value === null)
    return { t: 'null' };
  if (typeof value === 'boolean')
    return { t: 'bool', v: value };
  if (typeof value === 'number')
    return { t: 'double', bits: doubleBits(value) };
  if (typeof value === 'string')
    return { t: 'string', v: value };
  if (value instanceof types.JsonId)
    return { t: 'id', v: Buffer.from(value).toString('hex') };
  if (Buffer.isBuffer(value))
    return { t: 'binary', v: value.toString('hex') };
  if (value instanceof Date)
    return renderDate(value);
  if (value instanceof types.IntervalDS)
    return renderIntervalDS(value);
  if (value instanceof types.IntervalYM)
    return { t: 'intervalym', v: String(value.years * 12 + value.months) };
  if (value instanceof types.SparseVector) {
    const sparse = { dims: value.numDimensions, indices: Array.from(value.indices) };
    return { ...renderVector(value.values), sparse };
  }
  if (ArrayBuffer.isView(value))
    return renderVector(value);
  if (Array.isArray(value))
    return { t: 'array', v: value.map(render) };
  if (typeof value === 'object')
    return { t: 'object', v: Object.keys(value).map((k) => [k, render(value[k])]) };
  throw new Inexpressible(`no rendering for ${typeof value}`);
}

// ---- building what a user would pass ----------------------------------------------------------------

/** The one text of a decimal number: coefficient without trailing zeros, `e`, exponent. */
function numberText(text) {
  const [, sign, whole, fraction = '', exponent = '0'] = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  const stripped = digits.replace(/0+$/, '');
  if (stripped === '')
    return '0';
  const shift = digits.length - stripped.length - fraction.length;
  return `${sign === '-' ? '-' : ''}${stripped}e${Number(exponent) + shift}`;
}

function buildNumber(text) {
  const number = Number(text);
  if (!Number.isFinite(number) || numberText(number.toString()) !== numberText(text))
    throw new Inexpressible('a JavaScript number does not hold this number');
  return number;
}

function buildDate(text) {
  const [moment, fraction = ''] = text.split('.');
  if (!/^\d{0,3}0*$/.test(fraction) || /[1-9]/.test(fraction.slice(3)))
    throw new Inexpressible('a Date has milliseconds, not nanoseconds');
  const date = new Date(`${moment}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  if (Number.isNaN(date.getTime()))
    throw new Inexpressible('a Date does not hold this moment');
  return date;
}

function buildIntervalDS(text) {
  const total = BigInt(text);
  const seconds = total / 1000000000n;
  return new types.IntervalDS({
    days: Number(seconds / 86400n),
    hours: Number((seconds / 3600n) % 24n),
    minutes: Number((seconds / 60n) % 60n),
    seconds: Number(seconds % 60n),
    fseconds: Number(total % 1000000000n),
  });
}

function buildVector(node) {
  const [, Type, , read] = VECTORS.find(([format]) => format === node.format);
  const values = Type.from(node.v, read);
  if (!node.sparse)
    return values;
  return new types.SparseVector({ numDimensions: node.sparse.dims, indices: node.sparse.indices, values });
}

function buildObject(pairs) {
  const object = {};
  for (const [name, value] of pairs) {
    if (Object.hasOwn(object, name))
      throw new Inexpressible('a JavaScript object has every key once');
    object[name] = build(value);
  }
  const kept = Object.keys(object);
  if (kept.length !== pairs.length)
    throw new Inexpressible('a JavaScript object has no such key');
  if (pairs.some(([name], i) => name !== kept[i]))
    throw new Inexpressible('a JavaScript object has another order of keys');
  return object;
}

const BUILDERS = {
  null: () => null,
  bool: (node) => node.v,
  int: (node) => buildNumber(node.v),
  number: (node) => buildNumber(node.v),
  double: (node) => Buffer.from(node.bits, 'hex').readDoubleBE(),
  // JavaScript has one number: a BINARY_FLOAT is given to the driver as the double of the same value.
  float: (node) => Buffer.from(node.bits, 'hex').readFloatBE(),
  string: (node) => node.v,
  binary: (node) => Buffer.from(node.v, 'hex'),
  id: (node) => types.JsonId.from(Buffer.from(node.v, 'hex')),
  date: (node) => buildDate(`${node.v}T00:00:00`),
  timestamp: (node) => buildDate(node.v),
  timestamptz: () => {
    throw new Inexpressible('a Date has no time zone');
  },
  intervalds: (node) => buildIntervalDS(node.v),
  intervalym: (node) => new types.IntervalYM({ years: 0, months: Number(node.v) }),
  vector: buildVector,
  array: (node) => node.v.map(build),
  object: (node) => buildObject(node.v),
};

/** The JavaScript value that a user of the driver would pass for a neutral value. */
function build(node) {
  return BUILDERS[node.t](node);
}

// ---- the co-process ---------------------------------------------------------------------------------

function decode(hex) {
  return new oson.OsonDecoder(Buffer.from(hex, 'hex')).decode();
}

// The two steps of the driver's own `connection.encodeOSON()`, which cannot be had without a connection.
function encode(value) {
  const buf = new oson.OsonEncoder().encode(transformer.transformJsonValue(value), MAX_NAME_BYTES);
  return buf.toString('hex');
}

const OPERATIONS = {
  versions: () => ({ node: process.versions.node, oracledb: oracledb.versionString }),
  oson_decode: (request) => ({ value: render(decode(request.hex)) }),
  oson_encode: (request) => ({ hex: encode(build(request.value)) }),
  oson_roundtrip: (request) => ({ hex: encode(decode(request.hex)) }),
};

function answer(request) {
  const operation = OPERATIONS[request.op];
  if (!operation)
    return { refused: `unknown operation ${request.op}` };
  try {
    return operation(request);
  } catch (error) {
    if (error instanceof Inexpressible)
      return { inexpressible: error.message };
    return { refused: `${error.name}: ${error.message.split('\n')[0]}` };
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  process.stdout.write(JSON.stringify({ ...answer(request), id: request.id }) + '\n');
});
