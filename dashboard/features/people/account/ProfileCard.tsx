import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import { queryClient, useCall } from '../../../api/client.ts'
import { profileQuery, useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'

const short = (text: string) => text.trim().length <= 64 || 'At most 64 characters'

/** What others see of a person. */
export function ProfileCard() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const off = useDisabledFeatures()
  const { register, handleSubmit, reset, formState } = useForm({
    values: {
      first_name: profile.first_name ?? '',
      last_name: profile.last_name ?? '',
      username: profile.username,
    },
  })
  const save = useCall(api.profile.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(profileQuery.queryKey, saved)
      toast.success('Profile saved')
    },
  })
  const { errors, isDirty } = formState
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={handleSubmit((values) => save.mutate(values))}
      className="form-stack"
    >
      <Card
        title="Name"
        footer={
          <SaveCancel
            dirty={isDirty}
            pending={save.isPending}
            reason={off('profile:update') && 'The operator of this platform has switched this off'}
            onCancel={() => reset()}
          />
        }
      >
        <div className="form-stack">
          <div className="two">
            <TextField
              label="First name"
              autoComplete="given-name"
              error={errors.first_name?.message}
              {...register('first_name', { validate: short })}
            />
            <TextField
              label="Last name"
              autoComplete="family-name"
              error={errors.last_name?.message}
              {...register('last_name', { validate: short })}
            />
          </div>
          <TextField
            label="Username"
            autoComplete="off"
            help="Teammates see it next to what you share. 1 to 64 characters."
            error={errors.username?.message}
            {...register('username', {
              validate: (name) => (name.trim() ? short(name) : 'Enter a username'),
            })}
          />
        </div>
      </Card>
    </Form>
  )
}
