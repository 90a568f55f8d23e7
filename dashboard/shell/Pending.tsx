import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Logo } from '../ui/text/Logo.tsx'
import './shell.css'

/** A page whose shape is not known yet: its head, and a card. */
export function PagePending() {
  return (
    <Page>
      <div className="pending" aria-busy="true">
        <progress className="sr" aria-label="Loading" />
        <Skeleton width={160} height={14} />
        <Skeleton width={280} />
        <div className="card" />
      </div>
    </Page>
  )
}

/** The frame before it is known who is signed in. */
export function FramePending() {
  return (
    <div className="app" aria-busy="true">
      <progress className="sr" aria-label="Loading" />
      <div className="railx">
        <div className="railx-inner">
          <span className="railx-head">
            <Logo />
          </span>
        </div>
      </div>
      <div className="top" />
      <div className="body">
        <div className="main" />
      </div>
    </div>
  )
}
