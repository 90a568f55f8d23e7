import type { ReactNode } from 'react'
import { useContent, useHiddenAtSignIn } from '../../../session/organization/mode.ts'
import { cx } from '../../../ui/cx.ts'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Pedestal } from './Pedestal.tsx'
import { Testimonials } from './Testimonials.tsx'
import './sign-in.css'

/** The pages before the frame: the form at the left, what Plinth is at the right, or what people say of it. */
export function AuthLayout({ children }: { children: ReactNode }) {
  const off = useHiddenAtSignIn()
  const { app_title: app, testimonials } = useContent()
  const alone = off('dashboard_auth:show_testimonial')
  return (
    <div className={cx('auth', alone && 'auth-alone')}>
      <main className="auth-form" id="main">
        <a className="brand" href="/">
          <Logo size={24} />
          <span>{app}</span>
        </a>
        <div className="auth-mid">{children}</div>
      </main>
      {!alone &&
        (testimonials.length > 0 ? (
          <Testimonials all={testimonials} />
        ) : (
          <div className="auth-art" aria-hidden>
            <Pedestal />
            <p>Everything your app is built on.</p>
          </div>
        ))}
    </div>
  )
}
