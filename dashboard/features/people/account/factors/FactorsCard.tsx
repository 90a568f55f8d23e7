import type { Factor } from '@supabase/auth-js'
import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { factorsQuery, authReads } from '../queries.ts'
import { Ago } from '../../../../ui/text/Time.tsx'
import { auth } from '../../../../session/identity/auth.ts'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { useAuthAction } from '../use-auth-action.ts'
import { CopyText } from '../../../../ui/text/CopyText.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import {
  recoveryCodeRules,
  recoveryCodesQuery,
  showRecoveryCode,
} from '../../../../session/identity/recovery-codes.ts'
import { SelectField } from '../../../../ui/controls/Select.tsx'

/** As many as the auth service keeps for one person. */
const maxFactors = 10

/** The authenticator apps that a sign-in asks for. */
export function FactorsCard() {
  const { data: factors } = useSuspenseQuery(factorsQuery)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Factor>()
  const add = (
    <Button
      icon={Plus}
      disabledReason={factors.length >= maxFactors && `You already have ${maxFactors} apps`}
      onClick={() => setAdding(true)}
    >
      Add app
    </Button>
  )
  return (
    <Card title="Two-factor authentication" end={factors.length > 0 && add} padded={false}>
      {factors.length === 0 && (
        <EmptyState icon={ShieldCheck} title="No second factor yet" action={add}>
          With an authenticator app, your password alone is not enough to sign in as you.
        </EmptyState>
      )}
      {factors.length === 1 && (
        <div className="pad-x">
          <Alert variant="info" title="Add a second app">
            If you lose this one, the other still lets you in. Recovery codes do, too.
          </Alert>
        </div>
      )}
      {factors.map((factor) => (
        <div className="set-row" key={factor.id}>
          <Icon of={KeyRound} size="s" />
          <div className="grow">
            <span className="med ell">{nameOf(factor)}</span>
            <p>
              Added <Ago at={factor.created_at} />
            </p>
          </div>
          <Button aria-label={`Remove ${nameOf(factor)}`} onClick={() => setLeaving(factor)}>
            Remove
          </Button>
        </div>
      ))}
      <AddFactorDialog open={adding} taken={factors.map(nameOf)} onClose={() => setAdding(false)} />
      {leaving && (
        <RemoveFactorDialog
          factor={leaving}
          factors={factors}
          nameOf={nameOf}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

const nameOf = (factor: Factor): string => factor.friendly_name || 'Authenticator app'

type Props = { open: boolean; taken: readonly string[]; onClose: () => void }

/** Two steps: a name for the app, then its code. What was begun and not finished counts for nothing. */
function AddFactorDialog(props: Props) {
  return props.open ? <OpenAddFactorDialog {...props} /> : null
}

function OpenAddFactorDialog({ taken, onClose }: Props) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: taken.length === 0 ? 'Authenticator app' : '' },
  })
  const enroll = useAuthAction(
    async ({ name }: { name: string }) =>
      (await auth()).mfa.enroll({ factorType: 'totp', friendlyName: name, issuer: 'Plinth' }),
    {
      onSuccess: ({ id, totp }) => setEnrolment({ id, picture: totp.qr_code, secret: totp.secret }),
    },
  )
  if (enrolment) return <ShowSecret enrolment={enrolment} onClose={onClose} />
  return (
    <FormDialog
      title="Add an authenticator app"
      verb="Continue"
      pending={enroll.isPending}
      onSubmit={handleSubmit(({ name }) => enroll.mutate({ name: name.trim() }))}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        help="Helps you tell your apps apart. For example, the name of your phone."
        error={formState.errors.name?.message ?? enroll.error?.message}
        {...register('name', {
          validate: (name) => {
            if (!name.trim()) return 'Enter a name'
            if (name.trim().length > 64) return 'At most 64 characters'
            return !taken.includes(name.trim()) || 'An app with this name already exists'
          },
        })}
      />
    </FormDialog>
  )
}

/** A factor that was begun; the secret is shown here and never again. */
type Enrolment = { id: string; picture: string; secret: string }

/** Second step: the app takes the secret, its first code proves it. */
function ShowSecret({ enrolment, onClose }: { enrolment: Enrolment; onClose: () => void }) {
  const { register, handleSubmit, formState, resetField } = useForm({ defaultValues: { code: '' } })
  const verify = useAuthAction(
    async ({ code }: { code: string }) =>
      (await auth()).mfa.challengeAndVerify({ factorId: enrolment.id, code }),
    {
      changes: [authReads.factors, authReads.user, authReads.sessions],
      onSuccess: () => {
        onClose()
        toast.success('Two-factor authentication is on for this app')
      },
    },
  )
  return (
    <FormDialog
      title="Scan the code"
      verb="Verify"
      pending={verify.isPending}
      onSubmit={handleSubmit(({ code }) =>
        verify.mutate({ code: plainCode(code) }, { onError: () => resetField('code') }),
      )}
      onClose={onClose}
    >
      <div className="form-stack">
        <div className="qr">
          <img src={enrolment.picture} alt="Code to scan with the authenticator app" />
          <ol>
            <li>Open your authenticator app and scan the code.</li>
            <li>Enter the six digits that it shows now.</li>
          </ol>
        </div>
        <div className="labelled">
          <span>Or type this secret into the app</span>
          <CopyText text={enrolment.secret} what="secret" />
        </div>
        <TextField
          label="Code"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          error={formState.errors.code?.message ?? verify.error?.message}
          {...register('code', codeRules)}
        />
      </div>
    </FormDialog>
  )
}

type RemoveFactorDialogProps = {
  factor: Factor
  factors: readonly Factor[]
  nameOf: (factor: Factor) => string
  onClose: () => void
}

/** In the list of what confirms it: a factor has an id of another shape. */
const recovery = 'recovery'

/** Asks for a code, of this app, of another or of those for a lost one: whoever found this window open has none. */
function RemoveFactorDialog({ factor, factors, nameOf, onClose }: RemoveFactorDialogProps) {
  const [via, setVia] = useState(factor.id)
  const { data: codes } = useQuery(recoveryCodesQuery)
  const name = nameOf(factor)
  const { register, handleSubmit, formState, resetField } = useForm({ defaultValues: { code: '' } })
  const remove = useAuthAction(
    async ({ code }: { code: string }) => {
      const { mfa } = await auth()
      const shown =
        via === recovery
          ? await showRecoveryCode(code)
          : await mfa.challengeAndVerify({ factorId: via, code: plainCode(code) })
      return shown.error ? shown : mfa.unenroll({ factorId: factor.id })
    },
    {
      // A token that says so: this session has nothing left to show.
      onAnswer: async () => (await auth()).refreshSession(),
      changes: [authReads.factors, authReads.recoveryCodes, authReads.user, authReads.sessions],
      onSuccess: () => {
        onClose()
        toast.success(`${name} is removed`)
      },
    },
  )
  const ways = [
    ...factors.map((each) => ({ value: each.id, label: nameOf(each) })),
    ...(codes && codes.remaining > 0 ? [{ value: recovery, label: 'A recovery code' }] : []),
  ]
  return (
    <FormDialog
      title={`Remove ${name}?`}
      verb="Remove app"
      danger
      pending={remove.isPending}
      onSubmit={handleSubmit(({ code }) =>
        remove.mutate({ code: code.trim() }, { onError: () => resetField('code') }),
      )}
      onClose={onClose}
    >
      <p>
        {factors.length === 1
          ? 'Your password alone will be enough to sign in as you, and organizations that require a second factor will not let you in.'
          : 'Its codes no longer work here. Your other apps stay.'}
      </p>
      {ways.length > 1 && (
        <SelectField label="Confirm with" options={ways} value={via} onChange={setVia} />
      )}
      <TextField
        label="Code"
        mono
        {...(via === recovery
          ? { autoComplete: 'off', maxLength: 20 }
          : { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 })}
        error={formState.errors.code?.message ?? remove.error?.message}
        {...register('code', via === recovery ? recoveryCodeRules : codeRules)}
      />
    </FormDialog>
  )
}

/** Apps show a code in two groups; people type it so. */
const plainCode = (code: string): string => code.replaceAll(' ', '')

/** For the code of an authenticator app. */
const codeRules = {
  validate: (code: string) => /^\d{6}$/.test(plainCode(code)) || 'A code has 6 digits',
}
