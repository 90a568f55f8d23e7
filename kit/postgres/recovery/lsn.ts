/** A place in the write-ahead log as Postgres writes it (`16/B374D848`), so that places can be compared. */
export function lsnOf(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new TypeError(`"${text}" is no LSN`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
