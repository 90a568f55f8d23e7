import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { invitationHours, invitations } from '#contract/organizations/invitations'
import { roleId } from '#contract/roles'
import { useCall } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Callout } from '../../../ui/Callout.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { type Access, incomplete, noAccess } from './access.ts'
import { AccessFields } from './AccessFields.tsx'
import { forgetInvitations } from './queries.ts'
import { useRoleChoice } from './use-role-choice.ts'

type Props = { slug: string; onClose: () => void }

/** Invites one person by mail, to the organization or to some of its projects. */
export function InvitePanel({ slug, onClose }: Props) {
  const { name, plan } = useOrganization(slug)
  const choice = useRoleChoice(slug)
  const [access, setAccess] = useState<Access>(noAccess)
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const invite = useCall(invitations.create, {
    onSuccess: async ({ invited_email: email }) => {
      toast.success(`Invitation sent to ${email}`)
      onClose()
      await forgetInvitations()
    },
  })
  const submit = handleSubmit(({ email }) =>
    invite.mutate({
      slug,
      email: email.trim(),
      role_id: roleId(access.role),
      ...(access.everywhere ? {} : { role_scoped_projects: [...access.projects.keys()] }),
    }),
  )
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={`Invite to ${name}`}
      shell={(inside) => (
        <Form error={undefined} pending={invite.isPending} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={invite.isPending}
            disabledReason={incomplete(access) ?? choice.giving(access.role)}
          >
            Send invitation
          </Button>
        </>
      }
    >
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        help={`They get an email with a link that works for ${invitationHours} hours.`}
        error={formState.errors.email?.message ?? invite.error?.message}
        {...register('email', {
          validate: (email) =>
            /^\S+@\S+\.\S+$/.test(email.trim()) || 'Enter the email of one person',
        })}
      />
      <AccessFields
        slug={slug}
        choice={choice}
        access={access}
        onAccess={setAccess}
        mixed={false}
      />
      {(plan.id === 'team' || plan.id === 'enterprise') && (
        <Callout type="note" title="Single sign-on">
          People who sign in through this organization’s single sign-on become members automatically
          and need no invitation.
        </Callout>
      )}
    </SidePanel>
  )
}
