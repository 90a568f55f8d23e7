import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** A project ref: 20 lower-case letters, 94 bits of chance. */
export const newProjectRef = (): string =>
  Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')

/** 256 random bits in letters that need no quoting anywhere. */
export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

/** A slug of a name: lower-case words joined by hyphens, at most `max` characters; empty when nothing is left. */
export const slugOf = (name: string, max = 48): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, max)
    .replace(/^-+|-+$/g, '')

/** `count` random lower-case letters and digits. */
export const randomSuffix = (count: number): string => {
  const alphabet = `${letters}0123456789`
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Compares two secrets without telling by time how much of them agrees. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Whether a text is a UUID as Postgres takes it, so that it can be looked for: anything else is simply not there. */
export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
