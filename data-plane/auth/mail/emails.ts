import { invalid } from '../errors.ts'

const longest = 255
const form = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

/** One address in lower case. Only the form is checked; whether it exists shows when a mail arrives. */
export function normalizeEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > longest || !form.test(email) || email.includes('..')) {
    throw invalid('Unable to validate email address: invalid format')
  }
  return email
}

/** A phone number as digits, without the leading plus. */
export function normalizePhone(text: string): string {
  const phone = text.replace(/[\s()+-]/g, '')
  if (!/^[1-9]\d{6,14}$/.test(phone)) {
    throw invalid('Invalid phone number format (E.164 required)')
  }
  return phone
}
