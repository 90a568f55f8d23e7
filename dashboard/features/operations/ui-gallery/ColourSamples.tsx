import { Samples } from './Samples.tsx'

const tokens =
  'surface-0 surface-1 surface-2 surface-3 line line-strong line-control text-faint text-muted text accent accent-hover accent-line accent-soft accent-text focus danger danger-fill danger-line danger-soft warning warning-line warning-soft success success-line success-soft info info-line info-soft text-disabled chart-1 chart-2 chart-3 chart-4 chart-5 code-keyword code-string code-number code-function code-comment'.split(
    ' ',
  )

export function ColourSamples() {
  return (
    <Samples title="Colour">
      <div className="swatches">
        {tokens.map((token) => (
          <div key={token}>
            <i style={{ background: `var(--${token})` }} />
            <span>{token}</span>
          </div>
        ))}
      </div>
    </Samples>
  )
}
