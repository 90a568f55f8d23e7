import { useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { externalAuth } from '../../../session/identity/external-auth.ts'
import { useHiddenAtSignIn } from '../../../session/organization/mode.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ProviderMark } from '../../../ui/text/ProviderMark.tsx'
import {
  externalRefusal,
  forgetExternalRefusal,
  landingFor,
  lastSignIn,
  rememberSignIn,
} from './external-sign-in.ts'
import { type Provider, useProviders } from '../../../session/project/providers.ts'
import { useAuthCall } from './AuthForm.tsx'

/** The other ways in: places that are switched on, and an organization's single sign-on. */
export function ProviderButtons({ returnTo }: { returnTo: string | undefined }) {
  const providers = useProviders()
  const navigate = useNavigate()
  const off = useHiddenAtSignIn()
  const [refused] = useState(externalRefusal)
  // Told once: who comes to the page again has not been refused again.
  useEffect(forgetExternalRefusal, [])
  const search = returnTo ? { returnTo } : {}
  return (
    <div className="ways">
      {refused && <Alert variant="danger" title={refused} />}
      {providers.map((provider) => (
        <ProviderButton key={provider.name} provider={provider} returnTo={returnTo} />
      ))}
      {!off('dashboard_auth:sign_in_with_sso') && (
        <Button
          size="form"
          className="wide"
          icon={Building2}
          onClick={() => void navigate({ to: '/sign-in-sso', search })}
        >
          Continue with single sign-on
          <LastUsed way="sso" />
        </Button>
      )}
    </div>
  )
}

function ProviderButton({
  provider: { name, label },
  returnTo,
}: {
  provider: Provider
  returnTo: string | undefined
}) {
  const go = useAuthCall(
    () =>
      externalAuth().signInWithOAuth({
        // The client's list of names is of its own time; the server says which exist.
        provider: name as 'github',
        options: { redirectTo: landingFor(returnTo), skipBrowserRedirect: true },
      }),
    ({ url }) => {
      rememberSignIn(name)
      location.assign(url)
    },
  )
  return (
    <>
      {go.error && <Alert variant="danger" title={go.error.message} />}
      <Button
        size="form"
        className="wide"
        busy={go.isPending || go.isSuccess}
        onClick={() => go.mutate(undefined)}
      >
        <ProviderMark of={name} />
        Continue with {label}
        <LastUsed way={name} />
      </Button>
    </>
  )
}

export function LastUsed({ way }: { way: string }) {
  return lastSignIn() === way ? <Badge>Last used</Badge> : null
}
