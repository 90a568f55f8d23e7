type Bar = { requests: number; errors: number }

const width = 300
const height = 32

/** Requests over time as bars, errors on top of them in their colour. */
export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ requests }) => requests))
  const step = width / bars.length
  const high = (n: number) => (n === 0 ? 0 : Math.max(2, (n / most) * (height - 2)))
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of its own, not a file
      role="img"
      aria-label={label}
    >
      {bars.map(({ requests, errors }, at) => {
        const place = { x: at * step + step * 0.15, width: step * 0.7 }
        const [whole, bad] = [high(requests), Math.min(high(errors), high(requests))]
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          <g key={at}>
            <rect {...place} className="b" y={height - 1} height={1} />
            {whole > 0 && <rect {...place} y={height - whole} height={whole} />}
            {bad > 0 && <rect {...place} className="e" y={height - whole} height={bad} />}
          </g>
        )
      })}
    </svg>
  )
}
