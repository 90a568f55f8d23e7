import { type ErrorComponentProps, useRouter, Link } from '@tanstack/react-router'
import { ServerCrash, RefreshCw } from 'lucide-react'
import { CallError } from '../api/client.ts'
import { isMissingPart } from '../session/new-version.ts'
import { Button, buttonClass } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { landing } from '../session/identity/return-to.ts'
import { NotFound } from '../ui/NotFound.tsx'
import { Crash } from './Crash.tsx'

/** A page that could not be loaded, or that crashed. What a call failed of can be tried again. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissingPart(error)) return <MissingPart />
  // The page is no longer what React has drawn, so nothing in it can be drawn anew, and what the router does next would take
  // this away: it is for the boundary around everything.
  if (error instanceof DOMException && error.name === 'NotFoundError') throw error
  if (!(error instanceof CallError)) return <Crash error={error} inside />

  function again() {
    reset()
    void router.invalidate()
  }
  return (
    <main className="main not-found" id="main">
      <EmptyState
        icon={ServerCrash}
        title="This page could not be loaded"
        action={
          <Button variant="primary" onClick={again}>
            Try again
          </Button>
        }
      >
        {error.message}
        {error.code > 0 && error.requestId && (
          <>
            <br />
            Request <span className="mono">{error.requestId}</span>
          </>
        )}
      </EmptyState>
    </main>
  )
}

/** A page whose code could not be loaded: after a deploy the server has the new one only. */
function MissingPart() {
  return (
    <main className="main not-found" id="main">
      <EmptyState
        icon={RefreshCw}
        title="A new version of the dashboard is available"
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        This page could not be loaded with the version that is open. If reloading does not help,
        check your network.
      </EmptyState>
    </main>
  )
}

export function RouteNotFound() {
  return (
    <NotFound
      action={
        <Link to={landing} className={buttonClass({ variant: 'primary' })}>
          Head back
        </Link>
      }
    />
  )
}
