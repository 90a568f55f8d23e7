import { Logo } from '../ui/text/Logo.tsx'
import './shell.css'

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
