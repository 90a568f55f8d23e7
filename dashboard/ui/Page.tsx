import type { ReactNode } from 'react'

type Props = {
  /** page 1120, list 960, form 720. */
  width?: 'page' | 'list' | 'form'
  children: ReactNode
}

/** A scrolling page with gutters. */
export function Page({ width = 'page', children }: Props) {
  return (
    <main className="main scroll" id="main">
      <div className={`wrap wrap-${width}`}>{children}</div>
    </main>
  )
}
