import { type ReactNode, useState } from 'react'
import type { Testimonial } from '#contract/operations/custom-content'
import { useContent, useHiddenAtSignIn } from '../../../session/organization/mode.ts'
import { cx } from '../../../ui/cx.ts'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Pedestal } from './Pedestal.tsx'
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

/** The server fetches the picture and makes it small; the browser connects to nobody else. */
const picture = (url: string) => `/_next/image?url=${encodeURIComponent(url)}&w=640&q=75`

/** What one of the people whom the operator quotes says, another one at the next visit. */
function Testimonials({ all }: { all: readonly Testimonial[] }) {
  const [at] = useState(() => Math.floor(Math.random() * all.length))
  const [hasPicture, setHasPicture] = useState(true)
  const shown = all[at] ?? all[0]
  if (!shown) return null
  return (
    <aside className="auth-art auth-quote" aria-label="Testimonial">
      <figure>
        <blockquote>{shown.text}</blockquote>
        <figcaption>
          {hasPicture && (
            <img
              src={picture(shown.img_url)}
              alt=""
              width={40}
              height={40}
              // Whoever keeps the picture may be away; the words stand without it.
              onError={() => setHasPicture(false)}
            />
          )}
          <a className="link" href={shown.url} target="_blank" rel="noreferrer">
            {shown.handle}
          </a>
        </figcaption>
      </figure>
    </aside>
  )
}
