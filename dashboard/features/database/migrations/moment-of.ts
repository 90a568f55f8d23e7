/** The moment in a version such as `20260131235959`, in UTC; undefined for versions that are only numbers. */
export function momentOf(version: string): string | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(version)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second] = parts
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
  return Number.isNaN(Date.parse(text)) ? undefined : text
}
