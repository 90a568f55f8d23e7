/** Hands a text, or a file that was put together from pieces, to the browser to keep. */
export function saveFile(name: string, text: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken what it needs when the click is over; a moment later is safe everywhere.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
