import type { ReactNode } from 'react'

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
