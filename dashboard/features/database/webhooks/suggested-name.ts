/** As `books_webhook`, or with a number behind it where the table has that one. */
export function suggestedName(table: string, taken: readonly string[]): string {
  if (table === '') return ''
  // A name has 63 bytes; a letter that is cut in half is left out.
  const start = new TextEncoder().encode(table).slice(0, 50)
  const base = `${new TextDecoder().decode(start).replace(/\ufffd$/, '')}_webhook`
  let name = base
  for (let number = 2; taken.includes(name); number += 1) name = `${base}_${number}`
  return name
}
