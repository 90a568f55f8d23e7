import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { listeners } from '#contract/operations/listeners'
import type { Project } from '#contract/projects/projects'
import { q, queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'

const isPort = (text: string) =>
  /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535

/** A port of the platform's machine at which the project is served too; nothing where projects can have none. */
export function PortCard({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug } = project
  const query = q(listeners.get, { ref })
  const { data } = useQuery(query)
  const reason = useDenials({ organizationSlug, projectRef: ref })(listeners.set)
  const { register, handleSubmit, reset, formState } = useForm({
    values: { port: data?.port ? String(data.port) : '' },
  })
  const save = useCall(listeners.set, {
    onSuccess: (saved) => {
      queryClient.setQueryData(query.queryKey, saved)
      toast.success(saved.port === null ? 'The port is closed' : 'Port saved')
    },
  })
  if (!data?.offered) return null
  const { errors, isDirty } = formState
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={handleSubmit(({ port }) =>
        save.mutate({ ref, port: port === '' ? null : Number(port) }),
      )}
      className="form-stack"
    >
      <Card
        title="Port on this machine"
        footer={
          <SaveCancel
            dirty={isDirty}
            pending={save.isPending}
            reason={reason}
            onCancel={() => reset()}
          />
        }
      >
        <div className="form-stack">
          <TextField
            label="Port"
            inputMode="numeric"
            autoComplete="off"
            placeholder="None"
            help="Also serves the project at the root of this port, for programs on the same machine as the platform. 1024 to 65535; leave empty for none."
            readOnly={reason !== undefined}
            error={errors.port?.message}
            {...register('port', {
              validate: (port) => port === '' || isPort(port) || 'A port is from 1024 to 65535',
            })}
          />
          {data.url && <CopyText text={data.url} what="address" />}
          {data.problem && <Callout type="warning">{data.problem}</Callout>}
        </div>
      </Card>
    </Form>
  )
}
