import type { ReactNode } from 'react'
import { ErrorNote } from './ErrorNote.tsx'
import { Skeleton } from './Skeleton.tsx'

type Props = {
  title?: ReactNode
  /** At the right of the title. */
  end?: ReactNode
  footer?: ReactNode
  /** 16 px inside, unless what is inside brings its own edges (a table). */
  padded?: boolean
  children: ReactNode
}

export function Card({ title, end, footer, padded = true, children }: Props) {
  return (
    <section className="card">
      {title && (
        <header>
          <h2>{title}</h2>
          {end && <div className="end">{end}</div>}
        </header>
      )}
      {padded ? <div className="pad">{children}</div> : children}
      {footer && <footer>{footer}</footer>}
    </section>
  )
}

type WaitingCardProps = {
  title: string
  /** What is read, as "compute size". */
  what: string
  /** Pixels that the content will take. */
  height: number
  error: Error | null
  onRetry: () => unknown
}

/** A card while its content is read, or when it could not be. */
export const WaitingCard = ({ title, what, height, error, onRetry }: WaitingCardProps) =>
  error ? (
    <Card title={title} padded={false}>
      <ErrorNote what={what} error={error} onRetry={() => void onRetry()} />
    </Card>
  ) : (
    <Card title={title}>
      <Skeleton width="100%" height={height} />
    </Card>
  )
