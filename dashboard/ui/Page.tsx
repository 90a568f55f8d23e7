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

type PageHeadProps = {
  title: ReactNode
  /** One line. */
  help?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, help, actions }: PageHeadProps) {
  return (
    <div className="head">
      <div className="head-text">
        <h1>{title}</h1>
        {help && <div className="head-help">{help}</div>}
      </div>
      {actions && <div className="acts">{actions}</div>}
    </div>
  )
}
