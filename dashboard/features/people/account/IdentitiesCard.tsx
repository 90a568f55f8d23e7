import type { UserIdentity } from '@supabase/auth-js'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, useChange } from '../../../api/client.ts'
import { type Provider, useProviders } from '../../../session/project/providers.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ProviderMark } from '../../../ui/text/ProviderMark.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Ago } from '../../../ui/text/Time.tsx'
import { auth } from '../../../session/identity/auth.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { authReads, userQuery } from './queries.ts'
import { authorizeInWindow, type Outcome } from './github-popup.ts'
import { AuthRefusal, useAuthAction } from './use-auth-action.ts'

/** The ways one signs in to this account, and those that could be added. */
export function IdentitiesCard() {
  const { data: user } = useSuspenseQuery(userQuery)
  const providers = useProviders()
  const [leaving, setLeaving] = useState<UserIdentity>()
  const identities = user.identities ?? []
  const linked = new Set(identities.map(({ provider }) => provider))
  const labelOf = (name: string) =>
    name === 'email' ? 'Password' : (providers.find((p) => p.name === name)?.label ?? ssoOr(name))
  const managed = identities.some(({ provider }) => provider.startsWith('sso'))
  const reason = managed
    ? 'Your organization manages this account'
    : identities.length < 2 && 'This is your only sign-in method'
  return (
    <Card title="Sign-in methods" padded={false}>
      {identities.map((identity) => (
        <div className="set-row" key={identity.identity_id}>
          <ProviderMark of={identity.provider} />
          <div className="grow">
            <span className="med">{labelOf(identity.provider)}</span>
            <p className="ell">
              {nameIn(identity)}
              {identity.created_at && (
                <>
                  {' '}
                  · added <Ago at={identity.created_at} />
                </>
              )}
            </p>
          </div>
          <Button
            aria-label={`Unlink ${labelOf(identity.provider)}`}
            disabledReason={reason}
            onClick={() => setLeaving(identity)}
          >
            Unlink
          </Button>
        </div>
      ))}
      {!managed &&
        providers
          .filter(({ name }) => !linked.has(name))
          .map((provider) => <LinkRow key={provider.name} provider={provider} />)}
      {leaving && (
        <UnlinkDialog
          identity={leaving}
          label={labelOf(leaving.provider)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

function LinkRow({ provider: { name, label } }: { provider: Provider }) {
  const link = useChange(() => linkIdentity(name), {
    changes: [authReads.user],
    onSuccess: (outcome) => {
      if (outcome.kind === 'refused') toast.error(outcome.message)
      if (outcome.kind === 'blocked') toast.error('Your browser blocked the window')
      if (outcome.kind === 'expired') toast.error(`${label} did not answer within 5 minutes`)
      if (outcome.kind === 'authorized') toast.success(`${label} is linked`)
    },
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <div className="set-row">
      <ProviderMark of={name} />
      <div className="grow">
        <span className="med">{label}</span>
        <p>Not linked</p>
      </div>
      <Button busy={link.isPending} onClick={() => link.mutate()}>
        Link {label}
      </Button>
    </div>
  )
}

const ssoOr = (name: string) => (name.startsWith('sso') ? 'Single sign-on' : name)

/** The name that the other place knows the person by (requirements §3, `identity_data.user_name`). */
function nameIn({ identity_data: data }: UserIdentity): string {
  for (const key of ['user_name', 'email', 'name', 'sub']) {
    const value: unknown = data?.[key]
    if (typeof value === 'string' && value) return value
  }
  return ''
}

type UnlinkDialogProps = { identity: UserIdentity; label: string; onClose: () => void }

function UnlinkDialog({ identity, label, onClose }: UnlinkDialogProps) {
  const unlink = useAuthAction(async () => (await auth()).unlinkIdentity(identity), {
    changes: [authReads.user],
    onSuccess: () => {
      onClose()
      toast.success(`${label} is unlinked`)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Unlink ${label}?`}
      verb={`Unlink ${label}`}
      error={unlink.error?.message}
      pending={unlink.isPending}
      onConfirm={() => unlink.mutate(undefined)}
    >
      <p>
        {identity.provider === 'email'
          ? 'You can no longer sign in with your password.'
          : `You can no longer sign in with ${label}.`}{' '}
        Other methods still work.
      </p>
    </ConfirmDialog>
  )
}

/** Adds a way of signing in, in a window of its own. */
const linkIdentity = (provider: string): Promise<Outcome> =>
  authorizeInWindow({
    open: () => window.open('', 'plinth-authorization', 'popup,width=640,height=760'),
    addressFor: async (state) => {
      const back = new URL('/authorized', location.origin)
      back.searchParams.set('state', state)
      const { data, error } = await (
        await auth()
      ).linkIdentity({
        // The client's list of names is of its own time; the server says which exist.
        provider: provider as 'github',
        options: {
          redirectTo: back.href,
          skipBrowserRedirect: true,
          queryParams: await challenge(),
        },
      })
      if (error) throw new AuthRefusal(error)
      return data.url
    },
    kept: localStorage,
  })

/**
 * The window comes back with a code that nobody can exchange, in place of a session: this browser has one, and a better one than
 * the new would be (a second factor is not shown again).
 */
async function challenge(): Promise<Record<string, string>> {
  const verifier = crypto.getRandomValues(new Uint8Array(32))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', verifier))
  const text = btoa(String.fromCharCode(...hash))
  return {
    code_challenge: text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    code_challenge_method: 's256',
  }
}
