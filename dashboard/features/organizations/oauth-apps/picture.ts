const side = 96

/** A file as a small square picture in a data URL; undefined when the browser cannot read it. */
export async function pictureOf(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const short = Math.min(bitmap.width, bitmap.height)
  const [left, top] = [(bitmap.width - short) / 2, (bitmap.height - short) / 2]
  canvas.getContext('2d')?.drawImage(bitmap, left, top, short, short, 0, 0, side, side)
  bitmap.close()
  return canvas.toDataURL('image/png')
}
