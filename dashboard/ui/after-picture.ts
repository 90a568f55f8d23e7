/** Does something when what is being drawn stands on the screen, soon where nobody looks at it. Returns what calls it off. */
export function afterPicture(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame: number | undefined
  const soon = () => (timer = setTimeout(work))
  if (document.hidden) soon()
  else frame = requestAnimationFrame(soon)
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
