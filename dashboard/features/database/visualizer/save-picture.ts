/** Browsers refuse canvases that are larger. */
const longestSide = 8192

/** An SVG as a PNG file, twice its size where that fits, so that text is sharp. */
export async function savePicture(
  name: string,
  { svg, width, height }: { svg: string; width: number; height: number },
): Promise<void> {
  const scale = Math.min(2, longestSide / width, longestSide / height)
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(width * scale)
    canvas.height = Math.ceil(height * scale)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('This browser cannot draw pictures')
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!blob) throw new Error('The picture is too large for this browser')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  } finally {
    URL.revokeObjectURL(url)
  }
}
