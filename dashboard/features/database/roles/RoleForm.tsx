import { useState } from 'react'
import type { Role } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { changeRole, createRole, dropRole, type RoleFlag } from '#contract/ddl/roles'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'

/** What tells of roles, and is old when one has changed. */
export const ofRoles = [databaseObjects.roles]

type Props = {
  projectRef: string
  /** Undefined to make a new one. */
  role: Role | undefined
  others: readonly Role[]
  isSuperuser: boolean
  why: string | undefined
  onClose: () => void
}

const newRole: RoleDraft = {
  name: '',
  connection_limit: '',
  member_of: [],
  flags: {
    can_login: true,
    inherit_role: true,
    can_create_role: false,
    can_create_db: false,
    is_replication_role: false,
    can_bypass_rls: false,
    is_superuser: false,
  },
}

/** One role: what it may be, its password, and its end; or a new one. */
export function RoleForm({ projectRef, role, others, isSuperuser, why, onClose }: Props) {
  const [draft, setDraft] = useState<RoleDraft>(role ? draftOf(role) : newRole)
  const kept = role && isPlatformRole(role.name)
  const reason = why ?? (kept ? `${role.name} is one of the platform's roles` : undefined)
  const limit = draft.connection_limit.trim() === '' ? -1 : Number(draft.connection_limit)
  const badLimit =
    Number.isInteger(limit) && limit >= -1 && limit <= 262_143 ? undefined : 'A whole number'
  const spec = { name: draft.name.trim(), ...draft.flags, connection_limit: limit }
  const change = role
    ? changeRole(role, { ...spec, config: role.config })
    : createRole({ ...spec, member_of: draft.member_of })
  const ready = spec.name !== '' && !badLimit && change.statements.length > 0 && !reason

  return (
    <ObjectForm
      projectRef={projectRef}
      size="large"
      title={role ? <span className="mono">{role.name}</span> : 'New role'}
      review="Review"
      asked={
        ready
          ? {
              change,
              title: role ? `Change ${role.name}` : `Create ${spec.name}`,
              verb: role ? 'Change role' : 'Create role',
              done: role
                ? `${spec.name} is changed`
                : `${spec.name} is created; give it a password next`,
            }
          : undefined
      }
      locked={reason}
      others={(ask) =>
        role && (
          <Button
            size="form"
            variant="danger"
            disabledReason={reason}
            onClick={() =>
              ask({
                change: dropRole(role),
                title: `Delete ${role.name}`,
                verb: 'Delete role',
                danger: true,
                typeName: role.name,
                done: `${role.name} is deleted`,
                children: (
                  <p>
                    {role.name} can no longer connect. While it owns anything or has privileges on a
                    table, Postgres refuses and says on what.
                  </p>
                ),
              })
            }
          >
            Delete role
          </Button>
        )
      }
      forgets={ofRoles}
      onClose={onClose}
    >
      {() => (
        <>
          {reason && <Alert variant="info" title={reason} />}
          <RoleFields
            draft={draft}
            role={role}
            others={others}
            locked={reason !== undefined}
            isSuperuser={isSuperuser}
            badLimit={badLimit}
            onChange={setDraft}
          />
          {role && role.can_login && !reason && (
            <RolePassword projectRef={projectRef} role={role} />
          )}
        </>
      )}
    </ObjectForm>
  )
}

const draftOf = (role: Role): RoleDraft => ({
  name: role.name,
  connection_limit: role.connection_limit < 0 ? '' : String(role.connection_limit),
  member_of: role.member_of,
  // The keys are those of `newRole`.
  flags: Object.fromEntries(
    Object.keys(newRole.flags).map((flag) => [flag, role[flag as RoleFlag]]),
  ) as RoleDraft['flags'],
})

type RoleDraft = {
  name: string
  /** Empty is without limit. */
  connection_limit: string
  member_of: readonly string[]
  flags: Record<RoleFlag, boolean>
}

type FieldsProps = {
  draft: RoleDraft
  role: Role | undefined
  others: readonly Role[]
  locked: boolean
  isSuperuser: boolean
  badLimit: string | undefined
  onChange: (draft: RoleDraft) => void
}

/** Name, limit and rights of a role. */
function RoleFields({ draft, role, others, locked, isSuperuser, badLimit, onChange }: FieldsProps) {
  const known = others.filter((other) => other.may_grant && other.id !== role?.id)
  return (
    <>
      <TextField
        label="Name"
        mono
        autoComplete="off"
        disabled={locked}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <TextField
        label="Connection limit"
        inputMode="numeric"
        autoComplete="off"
        placeholder="No limit"
        disabled={locked}
        error={badLimit}
        value={draft.connection_limit}
        onChange={(event) => onChange({ ...draft, connection_limit: event.target.value })}
      />
      <fieldset className="checks">
        <legend className="section-title">What it may</legend>
        {flagWords.map(({ flag, word, about, superuser }) => (
          <Checkbox
            key={flag}
            label={
              <>
                {word}
                <span className="choice-help">
                  {superuser && !isSuperuser ? 'Only a superuser can grant this.' : about}
                </span>
              </>
            }
            checked={draft.flags[flag]}
            disabled={locked || (superuser === true && !isSuperuser)}
            onChange={(event) =>
              onChange({ ...draft, flags: { ...draft.flags, [flag]: event.target.checked } })
            }
          />
        ))}
      </fieldset>
      {role ? (
        <p className="muted">
          {role.member_of.length > 0
            ? `Member of ${role.member_of.join(', ')}.`
            : 'Member of no other role.'}
        </p>
      ) : (
        <fieldset className="checks">
          <legend className="section-title">Has the rights of</legend>
          {known.map(({ name: group }) => (
            <Checkbox
              key={group}
              label={<span className="mono">{group}</span>}
              checked={draft.member_of.includes(group)}
              onChange={(event) =>
                onChange({
                  ...draft,
                  member_of: event.target.checked
                    ? [...draft.member_of, group]
                    : draft.member_of.filter((one) => one !== group),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  )
}

/** Gives a role a password. It is sent as a verifier to Postgres and written down nowhere, so it is no migration. */
function RolePassword({ projectRef, role }: { projectRef: string; role: Role }) {
  const [password, setPassword] = useState('')
  const set = useDatabaseCall(databaseObjects.updateRole, {
    onSuccess: () => {
      setPassword('')
      toast.success(`${role.name} has a new password`)
    },
  })
  return (
    <div className="form-stack">
      <h3 className="section-title">Password</h3>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        help="Not stored anywhere and not part of the migrations: keep it with your secrets."
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {set.error && <Alert variant="danger" title={set.error.message} />}
      <div>
        <Button
          busy={set.isPending}
          disabled={password === ''}
          onClick={() => set.mutate({ ref: projectRef, id: role.id, password })}
        >
          Set password
        </Button>
      </div>
    </div>
  )
}

type FlagWord = {
  flag: RoleFlag
  word: string
  about: string
  /** Goes past protections. */
  grave?: true
  /** Only a superuser can give it. */
  superuser?: true
  /** So common that a list does not say it. */
  quiet?: true
}

export const flagWords: readonly FlagWord[] = [
  { flag: 'can_login', word: 'Log in', about: 'Can connect to the database.' },
  {
    flag: 'inherit_role',
    word: 'Inherit',
    about: 'Inherits the privileges of the roles it is a member of.',
    quiet: true,
  },
  { flag: 'can_create_role', word: 'Create roles', about: 'Can create and change other roles.' },
  { flag: 'can_create_db', word: 'Create databases', about: 'Can create its own databases.' },
  {
    flag: 'is_replication_role',
    word: 'Replication',
    about: 'Can stream every change, and a copy of the whole server.',
    grave: true,
    superuser: true,
  },
  {
    flag: 'can_bypass_rls',
    word: 'Bypass RLS',
    about: 'Sees and changes every row, whatever the policies say.',
    grave: true,
  },
  {
    flag: 'is_superuser',
    word: 'Superuser',
    about: 'Bypasses all permission checks.',
    grave: true,
    superuser: true,
  },
]

/** Roles that the platform's services and the public client libraries are built on (see the schema of a new project). */
const names = new Set([
  'anon',
  'authenticated',
  'service_role',
  'dashboard_user',
  'authenticator',
  'postgres',
])

/** Roles of the platform or of Postgres itself: shown, not changed here. */
export const isPlatformRole = (name: string) =>
  names.has(name) || /^(pg_|supabase_|plinth_|authenticator_)/.test(name)
