import { stepsOf } from './paths.ts'

type Props = { bucket: string; path: string; onPath: (path: string) => void; onBack: () => void }

/** Where one is, and the way back. */
export function PathBar({ bucket, path, onPath, onBack }: Props) {
  const steps = [{ name: bucket, path: '' }, ...stepsOf(path)]
  return (
    <nav className="path-bar" aria-label="Path">
      <ol>
        <li>
          <button type="button" onClick={onBack}>
            Buckets
          </button>
        </li>
        {steps.map((step, at) => (
          <li key={step.path}>
            {at === steps.length - 1 ? (
              <h1 className="ell mono">{step.name}</h1>
            ) : (
              <button type="button" className="mono" onClick={() => onPath(step.path)}>
                {step.name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
