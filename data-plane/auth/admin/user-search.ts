import type { UserField } from '#contract/auth/auth-users'

/** Where a search by index looks, and for what; a field that the text cannot be in is left out. */
export type SearchPart = { field: Exclude<UserField, 'all'>; values: string[] }

/** The beginnings that a text can be in each field, in the form of that field's index. */
export function searchParts(search: string, field: UserField): SearchPart[] {
  const parts: SearchPart[] = [
    { field: 'id', values: idRange(search) },
    { field: 'email', values: from(search.toLowerCase()) },
    { field: 'phone', values: from(phoneDigits(search)) },
    { field: 'metadata', values: wordsQuery(search) },
  ]
  return parts.filter((part) => part.values.length > 0 && (field === 'all' || field === part.field))
}

/** For LIKE. */
export const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The first and the last id that begin with these digits. */
function idRange(search: string): string[] {
  const digits = search.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return []
  return [digits.padEnd(32, '0'), digits.padEnd(32, 'f')]
}

/** The first text that begins like this, and one after the last, by the order of their bytes. */
const from = (text: string): string[] => (text === '' ? [] : [text, `${text}\u{10ffff}`])

/** Numbers are kept as digits; people write them with more. Empty for what is no number. */
function phoneDigits(search: string): string {
  const digits = search.replace(/[\s()+.-]/g, '')
  return /^\d{1,20}$/.test(digits) ? digits : ''
}

/** Shorter beginnings of words are in nearly everybody's metadata. */
const shortestWord = 3

/** All words, each from its beginning, as a tsquery. */
function wordsQuery(search: string): string[] {
  const words = search.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (words.length === 0 || !words.some((word) => word.length >= shortestWord)) return []
  return [words.map((word) => `'${word}':*`).join(' & ')]
}
