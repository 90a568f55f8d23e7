import { useSuspenseQuery } from '@tanstack/react-query'
import { Database, Globe, KeyRound, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Icon, type IconType } from '../../ui/Icon.tsx'
import { keyClaims, type Impersonation, type OwnRole } from './impersonation.ts'
import { projectQuery } from '../../session/project/project.ts'
import { UserChoice } from './UserChoice.tsx'

type Props = {
  projectRef: string
  value: Impersonation | undefined
  verb: string
  own: OwnRole
  onChoose: (value: Impersonation | undefined) => void
}

/** What is new about every token. */
const newToken = (issuer: string) => ({
  issuer,
  now: new Date(),
  sessionId: crypto.randomUUID(),
})

type Role = 'postgres' | 'anon' | 'authenticated' | 'service_role'

const roles: { role: Role; icon: IconType; help: string }[] = [
  { role: 'postgres', icon: Database, help: 'The owner. Row level security does not apply to it.' },
  { role: 'anon', icon: Globe, help: 'Requests with the public key, not signed in.' },
  { role: 'authenticated', icon: UserRound, help: 'Requests of a user who is signed in.' },
  {
    role: 'service_role',
    icon: KeyRound,
    help: 'Requests with the secret key. Passes every policy.',
  },
]

/** Those that a request can come as. */
const requestRoles = roles.filter(({ role }) => role !== 'postgres')

/** What stands in a RolePicker's panel: the roles, and for a signed-in user the question which one. */
export function RoleChoice({ projectRef, value, verb, own, onChoose }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const [role, setRole] = useState<string>(value?.role ?? own)
  const token = () => newToken(`${project.endpoint}/auth/v1`)
  function choose(next: Role) {
    setRole(next)
    if (next === own) onChoose(undefined)
    else if (next === 'anon' || next === 'service_role')
      onChoose({ role: next, label: next, claims: keyClaims(next, { ...token(), aal: 'aal1' }) })
  }
  return (
    <>
      <fieldset className="role-cards">
        <legend className="sr">{verb}</legend>
        {(own === 'postgres' ? roles : requestRoles).map(({ role: one, icon, help }) => (
          <button
            key={one}
            type="button"
            aria-pressed={role === one}
            className="role-card"
            onClick={() => choose(one)}
          >
            <Icon of={icon} />
            <span>
              <span className="mono">{one}</span>
              <span className="choice-help">{help}</span>
            </span>
          </button>
        ))}
      </fieldset>
      {role === 'authenticated' && (
        <UserChoice
          projectRef={projectRef}
          value={value}
          verb={verb}
          token={token}
          onChoose={onChoose}
        />
      )}
    </>
  )
}
