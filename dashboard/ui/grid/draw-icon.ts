/** An outline on a 24 grid at half its size. */
export function drawIcon(
  ctx: CanvasRenderingContext2D,
  path: string,
  x: number,
  y: number,
  colour: string,
) {
  ctx.save()
  ctx.translate(x, y)
  ctx.scale(0.5, 0.5)
  ctx.strokeStyle = colour
  ctx.lineWidth = 2
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  ctx.stroke(new Path2D(path))
  ctx.restore()
}
