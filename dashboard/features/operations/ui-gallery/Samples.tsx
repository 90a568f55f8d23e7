import type { ReactNode } from 'react'

type Props = { title: string; children: ReactNode }

/** One group of the gallery. */
export function Samples({ title, children }: Props) {
  return (
    <section className="samples">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
