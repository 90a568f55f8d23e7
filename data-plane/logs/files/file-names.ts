import type { Span } from './days.ts'

/**
 * What one name in the folder of a day says. `key` is a writer and its number, and never given twice.
 * - `active`: a writer adds lines to it.
 * - `sealed`: lines that nobody adds to any more.
 * - `packed`: the same entries, or those of several files, as columns.
 * - `replaces`: the keys of the files whose entries a packed file of this key has. They are hidden from when that one is there.
 * - `counts`: how many entries the packed file of this key has of which kind. `few` cannot tell them apart by host and path.
 * - `unfinished`: something that its maker has not given a name yet.
 */
export type LogFile =
  | { kind: 'active'; name: string; key: string; writer: string }
  | { kind: 'sealed' | 'packed'; name: string; key: string; writer: string; span: Span }
  | { kind: 'counts'; name: string; key: string; writer: string; fields: 'all' | 'few' }
  | { kind: 'replaces' | 'unfinished'; name: string; key: string; writer: string }

/** Sixteen digits, so that names sort as times do. */
const micros = (value: number) => String(value).padStart(16, '0')

/** The last entry is in the name as it is; a span ends behind it. */
const spanned = ({ from, to }: Span, key: string) => `${micros(from)}-${micros(to - 1)}-${key}`

export const activeName = (key: string): string => `${key}.jsonl`
export const sealedName = (span: Span, key: string): string => `${spanned(span, key)}.sealed.jsonl`
export const packedName = (span: Span, key: string): string => `${spanned(span, key)}.parquet`
export const replacesName = (key: string): string => `${key}.replaces`
export const countsName = (key: string, fields: 'all' | 'few'): string =>
  fields === 'all' ? `${key}.counts` : `${key}.counts-few`
export const unfinishedName = (key: string): string => `${key}.unfinished`
export const unfinishedCountsName = (key: string): string => `${key}.counts.unfinished`

const pattern =
  /^(?:(\d{16})-(\d{16})-)?(([0-9a-z]+)-\d+)\.(jsonl|sealed\.jsonl|parquet|counts|counts-few|replaces|replaces\.new|unfinished|counts\.unfinished)$/

/** Undefined: it is none of ours. */
export function readFileName(name: string): LogFile | undefined {
  const [, first, last, key, writer, ending] = pattern.exec(name) ?? []
  if (key === undefined || writer === undefined) return undefined
  const common = { name, key, writer }
  if (first !== undefined && last !== undefined) {
    const span = { from: Number(first), to: Number(last) + 1 }
    if (ending === 'sealed.jsonl') return { kind: 'sealed', ...common, span }
    if (ending === 'parquet') return { kind: 'packed', ...common, span }
    return undefined
  }
  if (ending === 'jsonl') return { kind: 'active', ...common }
  if (ending === 'replaces') return { kind: 'replaces', ...common }
  if (ending === 'counts') return { kind: 'counts', ...common, fields: 'all' }
  if (ending === 'counts-few') return { kind: 'counts', ...common, fields: 'few' }
  return { kind: 'unfinished', ...common }
}
