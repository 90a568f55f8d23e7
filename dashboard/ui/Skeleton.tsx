/** A bar where text will be. Give it the width of what comes. */
export function Skeleton({ width, height }: { width: number | string; height?: number }) {
  return <span className="skel" style={{ width, height }} aria-hidden />
}
