import type { SettingGroup } from './setting-group.ts'

/** What people of the dashboard get: mail, sign-in, the assistant, bills. */
export const peopleSettings: readonly SettingGroup[] = [
  {
    title: 'Mail and support',
    settings: {
      SMTP_URL: {
        about: 'The mail server, such as `smtps://user:password@mail.example.com`.',
        unset:
          'none: mails go to [the mailbox](operating.md#the-mailbox), and sign-ups are confirmed at once',
      },
      MAIL_FROM: { about: 'The sender address of mails.' },
      SUPPORT_EMAIL: {
        about:
          'The address that receives requests for help from `/support/new` and reports to the operator.',
        unset: '`support@` followed by the host of `PLINTH_URL`',
      },
      PLINTH_DISCUSSIONS_URL: {
        about:
          'The address of a page where people discuss the product. The feature previews link to it.',
        unset: 'no link',
      },
    },
  },
  {
    title: 'Sign-in to the dashboard',
    settings: {
      PLINTH_GITHUB_CLIENT_ID: {
        about:
          'The client ID of an OAuth app on GitHub ([sign in with GitHub](operating.md#sign-in-with-github)).',
        unset: 'no GitHub button',
      },
      PLINTH_GITHUB_CLIENT_SECRET: { about: 'The client secret of that OAuth app.' },
      PLINTH_GITHUB_URL: {
        about: 'The address of GitHub, or of another server with the same API.',
      },
      PLINTH_OIDC_PROVIDERS: {
        about:
          'OpenID Connect providers, as a JSON list of `{"name", "issuer", "client_id", "client_secret", "label", "scopes"}`; the last two are optional. Plinth trusts the email addresses that such a provider reports.',
      },
      PLINTH_TRUSTED_SSO_DOMAINS: {
        about:
          'Domains, separated by commas, that organizations may use for single sign-on without a DNS record that proves that they own them.',
      },
    },
  },
  {
    title: 'Dashboard',
    settings: {
      PLINTH_DISABLED_FEATURES: {
        about:
          '[Features](#features-that-can-be-turned-off) to turn off, separated by commas, such as `projects:create,billing:credits`. With `dashboard_auth:sign_up`, only people whom an organization has invited, or who arrive through its identity provider, can sign up.',
      },
      DISABLED_FEATURES: {
        about: 'Another name for `PLINTH_DISABLED_FEATURES`, read if that is not set.',
      },
      PLINTH_DOCUMENTS: {
        about:
          'The folder of the [legal documents](operating.md#legal-documents) that organizations can download.',
        unset: 'none are supplied',
      },
      PLINTH_CUSTOM_CONTENT: {
        about:
          'A JSON file with [your own words and links](operating.md#custom-content): the name of the dashboard, testimonials, terms of service and more.',
        unset: 'the words and links of Plinth',
      },
      PLINTH_ENVIRONMENT: {
        about:
          'The purpose of this installation. It decides which cloud provider and region a new project has by default.',
      },
      PLINTH_IMAGE_HOSTS: {
        about:
          'Additional hosts, separated by commas, whose images `/_next/image` may fetch and shrink.',
      },
    },
  },
  {
    title: 'Assistant',
    settings: {
      OPENAI_API_KEY: {
        about: 'The API key for the model that the assistant uses.',
        unset: 'none: the assistant is off, unless `OPENAI_BASE_URL` is set',
      },
      OPENAI_BASE_URL: {
        about: 'The address of a server with the OpenAI chat API, such as one on this machine.',
        unset: '`https://api.openai.com/v1`',
      },
      OPENAI_MODEL: {
        about:
          'The models that people can choose, separated by commas. The first one is the default.',
      },
    },
  },
  {
    title: 'Billing',
    intro:
      'Without Stripe, you mark invoices paid yourself: see [billing by hand](operating.md#billing-by-hand).',
    settings: {
      STRIPE_SECRET_KEY: {
        about:
          'The secret key of a Stripe account, for payment by card. Set it together with `STRIPE_WEBHOOK_SECRET`.',
        unset: 'no payment by card',
      },
      STRIPE_WEBHOOK_SECRET: {
        about:
          'The secret of the Stripe webhook, which sends events to `/platform/stripe/webhook`.',
      },
      STRIPE_API_URL: {
        about: 'The address of another server with the Stripe API.',
        unset: 'the API of Stripe',
      },
      PLINTH_PAYMENT_INSTRUCTIONS: {
        about: 'Instructions for people who do not pay by card, such as a bank account.',
      },
      PLINTH_INVOICE_SENDER: {
        about: 'The name and address of the sender on invoices. A `|` starts a new line.',
        unset: '`Plinth`',
      },
    },
  },
]
