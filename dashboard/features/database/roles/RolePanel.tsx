import { useState } from 'react'
import type { Role } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { changeRole, createRole, dropRole, type RoleFlag } from '#contract/ddl/roles'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { isPlatformRole } from './platform-roles.ts'
import { RoleFields, type RoleDraft } from './RoleFields.tsx'
import { RolePassword } from './RolePassword.tsx'

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
export function RolePanel({ projectRef, role, others, isSuperuser, why, onClose }: Props) {
  const [draft, setDraft] = useState<RoleDraft>(role ? draftOf(role) : newRole)
  const { ask, dialog } = useReview(projectRef, databaseObjects.roles)
  const kept = role && isPlatformRole(role.name)
  const reason = why ?? (kept ? `${role.name} is one of the platform's roles` : undefined)
  const limit = draft.connection_limit.trim() === '' ? -1 : Number(draft.connection_limit)
  const badLimit =
    Number.isInteger(limit) && limit >= -1 && limit <= 262_143 ? undefined : 'A whole number'
  const wanted = { name: draft.name.trim(), ...draft.flags, connection_limit: limit }
  const change = role
    ? changeRole(role, { ...wanted, config: role.config })
    : createRole({ ...wanted, member_of: draft.member_of })
  const ready = wanted.name !== '' && !badLimit && change.statements.length > 0 && !reason

  function submit() {
    if (!ready) return
    ask({
      change,
      title: role ? `Change ${role.name}` : `Create ${wanted.name}`,
      verb: role ? 'Change role' : 'Create role',
      done: role
        ? `${wanted.name} is changed`
        : `${wanted.name} is created; give it a password next`,
      onDone: onClose,
    })
  }

  // Beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <SidePanel
        open
        size="large"
        onClose={onClose}
        title={role ? <span className="mono">{role.name}</span> : 'New role'}
        shell={(inside) => (
          <Form error={undefined} pending={false} onSubmit={submit}>
            {inside}
          </Form>
        )}
        footer={
          <>
            {role && (
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
                    onDone: onClose,
                    children: (
                      <p>
                        {role.name} can no longer connect. While it owns anything or has privileges
                        on a table, Postgres refuses and says on what.
                      </p>
                    ),
                  })
                }
              >
                Delete role
              </Button>
            )}
            <span className="grow" />
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              size="form"
              variant="primary"
              disabledReason={reason}
              disabled={!ready}
            >
              Review
            </Button>
          </>
        }
      >
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
        {role && role.can_login && !reason && <RolePassword projectRef={projectRef} role={role} />}
      </SidePanel>
      {dialog}
    </>
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
