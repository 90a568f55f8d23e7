import { Languages } from 'lucide-react'
import { Alert } from './Alert.tsx'
import { Button, buttonClass } from './controls/Button.tsx'
import { CopyButton } from './controls/CopyButton.tsx'
import { Logo } from './text/Logo.tsx'

type Props = {
  error: Error
  /** What support can find the failure by. */
  reference?: string | undefined
  supportHref: string
  /** Reload (production) or go back to the dashboard (everywhere else). */
  production: boolean
  home: string
  /** Inside a page: without the logo. */
  inside?: boolean
}

/** Shown in place of what crashed. Uses nothing that could have crashed with it. */
export function ErrorScreen({ error, reference, supportHref, production, home, inside }: Props) {
  const reload = () => location.reload()
  return (
    <div className="error-screen">
      <div>
        {!inside && <Logo size={28} />}
        <h1>Sorry! An unexpected error occurred.</h1>
        <p className="muted t14">The page stopped working. What is stored is not affected.</p>
        <div className="well code">
          <span className="ell">{`${error.name}: ${error.message}`}</span>
          <CopyButton text={error.stack ?? `${error.name}: ${error.message}`} what="error" />
        </div>
        {wasTranslated(error.message) && (
          <Alert
            variant="warning"
            icon={Languages}
            title="A translation tool or a browser extension may be the cause"
            action={<Button onClick={reload}>Refresh</Button>}
          >
            The page was changed from outside while it was drawing.{' '}
            <a className="link" href={supportHref}>
              Still stuck?
            </a>
          </Alert>
        )}
        <ul>
          <li>Reload the dashboard.</li>
          <li>
            Clear your browser storage.{' '}
            <button type="button" className="link" onClick={clearAndReload}>
              Clear and reload
            </button>
          </li>
          <li>
            Still there? Contact support
            {reference ? (
              <>
                {' '}
                and name <span className="mono plain-id">{reference}</span>
              </>
            ) : null}
            .
          </li>
        </ul>
        <div className="row">
          {production ? (
            <Button variant="primary" size="form" onClick={reload}>
              Reload dashboard
            </Button>
          ) : (
            <a className={buttonClass({ variant: 'primary', size: 'form' })} href={home}>
              Return to dashboard
            </a>
          )}
          <a className={buttonClass({ size: 'form' })} href={supportHref}>
            Contact support
          </a>
        </div>
      </div>
    </div>
  )
}

function clearAndReload() {
  localStorage.clear()
  sessionStorage.clear()
  location.reload()
}

/** True for the error React throws when something else changed its nodes: page translation or an extension. */
const wasTranslated = (message: string) =>
  /failed to execute '(?:removeChild|insertBefore)' on 'node'/i.test(message)
