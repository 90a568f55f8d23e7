import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  /** One line. */
  help?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, help, actions }: Props) {
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
