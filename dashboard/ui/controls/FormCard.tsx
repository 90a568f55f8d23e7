import type { ComponentProps, ReactNode } from 'react'
import { Card } from '../Card.tsx'
import { Form, SaveCancel } from './Form.tsx'

type Props = Pick<ComponentProps<typeof Form>, 'error' | 'pending' | 'onSubmit'> &
  Pick<ComponentProps<typeof SaveCancel>, 'dirty' | 'reason' | 'onCancel'> & {
    title: ReactNode
    children: ReactNode
  }

/** A card of settings that are saved together. */
export const FormCard = ({ title, error, pending, onSubmit, children, ...foot }: Props) => (
  <Form error={error} pending={pending} onSubmit={onSubmit} className="form-stack">
    <Card title={title} footer={<SaveCancel pending={pending} {...foot} />}>
      {children}
    </Card>
  </Form>
)
