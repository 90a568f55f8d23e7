import { isUtf8 } from 'node:buffer'
import type { RowShape } from './json-rows.ts'
import { JsonRefusal, JsonScan, type JsonBounds } from './json-scan.ts'
import { inSlices } from '../slices.ts'

/** A slice takes some two milliseconds. */
const slice = 256 * 1024

/**
 * What a request may hold that is a document of settings and not rows for a database: made into values, checked and
 * written again, it takes a few tens of milliseconds.
 */
export const documentBounds: JsonBounds = { depth: 100, values: 50_000, keys: 2000 }

/** Reads how a JSON text is built, of any size, and lets everything else go on meanwhile. @throws JsonRefusal */
export async function shapeOf(bytes: Buffer, bounds: JsonBounds): Promise<RowShape> {
  checkEncoding(bytes)
  const scan = new JsonScan(bytes, bounds)
  if (bytes.length <= slice) scan.step(slice)
  else await inSlices(() => scan.step(slice))
  return scan.shape()
}

/** The value of a JSON text that is within bounds. @throws JsonRefusal */
export async function parseJson(bytes: Buffer, bounds = documentBounds): Promise<unknown> {
  await shapeOf(bytes, bounds)
  return JSON.parse(bytes.toString()) as unknown
}

/** The same without letting anything else go on: for what is never larger than a few megabytes. @throws JsonRefusal */
export function parseJsonNow(bytes: Buffer, bounds = documentBounds): unknown {
  checkEncoding(bytes)
  new JsonScan(bytes, bounds).step(bytes.length)
  return JSON.parse(bytes.toString()) as unknown
}

function checkEncoding(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new JsonRefusal('malformed', 'The JSON is not in UTF-8')
}
