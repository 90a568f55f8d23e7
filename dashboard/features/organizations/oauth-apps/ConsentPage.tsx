import { useState, useEffect } from 'react'
import { Link } from '@tanstack/react-router'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { AuthorizationRequest } from '#contract/organizations/oauth-apps'
import type { Organization } from '#contract/organizations/organizations'
import { useCall } from '../../../api/client.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import type { Option } from '../../../ui/controls/options.ts'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { AppPicture } from './AppName.tsx'
import { sentencesOf } from './scope-texts.ts'
import './oauth-apps.css'

type Props = {
  request: AuthorizationRequest
  email: string
  organizations: readonly Organization[]
  /** Why the reader may not let an app into this organization; undefined when they may. */
  denial: (slug: string) => string | undefined
  /** Leaves for where the app waits. */
  onAnswered: (url: string) => void
  onSignOut: () => void
}

/** /authorize: an app asks to act for the reader in one organization. */
export function ConsentPage({
  request,
  email,
  organizations,
  denial,
  onAnswered,
  onSignOut,
}: Props) {
  const [slug, setSlug] = useState(() => organizations.find((one) => !denial(one.slug))?.slug)
  const answered = { onSuccess: ({ url }: { url: string }) => onAnswered(url) }
  const approve = useCall(oauthApps.approve, answered)
  const decline = useCall(oauthApps.decline, answered)
  const options: Option[] = organizations.map((organization) => ({
    value: organization.slug,
    label: organization.name,
    detail: organization.slug,
    disabledReason: denial(organization.slug),
  }))
  const error = approve.error ?? decline.error
  return (
    <div className="consent">
      <span className="row">
        <AppPicture app={request} size={40} />
        <span className="consent-words">
          <span className="med">{request.name}</span>
          <a className="link t12" href={request.website} target="_blank" rel="noreferrer noopener">
            {request.website}
          </a>
        </span>
      </span>
      <h1>Let {request.name} in?</h1>
      <p className="muted t14">
        Published by {request.publisher}. It asks to act for you,{' '}
        <span className="med">{email}</span>, in one organization.
      </p>
      <SelectField
        label="Organization"
        options={options}
        value={slug}
        onChange={setSlug}
        placeholder="No organization where you can authorize apps"
        error={slug === undefined ? 'Ask an Owner or Administrator to do this' : undefined}
      />
      <section aria-label="What it could do" className="field">
        <h2 className="label">It will be able to</h2>
        <ul className="lost">
          {sentencesOf(request.scopes).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {request.scopes.length === 0 && <li>Only see that you authorized it</li>}
        </ul>
      </section>
      <p className="faint t12">
        It can never do more than you can, and you can revoke its access at any time. The answer
        goes to <span className="mono">{request.sends_to}</span>.
      </p>
      {error && (
        <p className="err" role="alert">
          {error.message}
        </p>
      )}
      <div className="consent-answers">
        <Button
          size="form"
          busy={decline.isPending}
          onClick={() => decline.mutate({ id: request.id })}
        >
          Decline
        </Button>
        <Button
          size="form"
          variant="primary"
          busy={approve.isPending || approve.isSuccess}
          disabledReason={slug === undefined && 'Choose an organization first'}
          onClick={() => slug !== undefined && approve.mutate({ slug, id: request.id })}
        >
          Authorize
        </Button>
      </div>
      <p className="t12 muted">
        Not you?{' '}
        <button type="button" className="link" onClick={onSignOut}>
          Sign out
        </button>
      </p>
    </div>
  )
}

type ConsentEndedProps = { reason: 'unknown_app' | 'bad_request' | 'over' }

const texts: Record<ConsentEndedProps['reason'], { title: string; text: string }> = {
  unknown_app: {
    title: 'This app is not registered here',
    text: 'The link names an app that was never published here or has been deleted. Go back to the app and try again.',
  },
  bad_request: {
    title: 'This link is not valid',
    text: 'Its redirect URI is not registered for the app, so nothing was sent. Contact the developer of the app.',
  },
  over: {
    title: 'This request has ended',
    text: 'It was already answered, expired after 10 minutes, or was opened by someone else. Go back to the app and start again.',
  },
}

/** In the place of a request that cannot be answered. */
export function ConsentEnded({ reason }: ConsentEndedProps) {
  const { title, text } = texts[reason]
  return (
    <>
      <h1>{title}</h1>
      <div className="auth-note">
        <p className="muted t14">{text}</p>
        <Link to="/organizations" className={buttonClass({ size: 'form' })}>
          Go to your organizations
        </Link>
      </div>
    </>
  )
}

type ConsentAgreedProps = { name: string; leaving: string }

/** Who has let this app in before is not asked again: the browser goes back to the app at once. */
export function ConsentAgreed({ name, leaving }: ConsentAgreedProps) {
  useEffect(() => location.replace(leaving), [leaving])
  return (
    <>
      <h1>Back to {name}</h1>
      <p className="muted t14">
        You have authorized this app before.{' '}
        <a className="link" href={leaving}>
          Continue
        </a>
      </p>
    </>
  )
}
