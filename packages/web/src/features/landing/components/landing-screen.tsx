import { Faq } from './faq.tsx'
import { Features } from './features.tsx'
import { FinalCall } from './final-call.tsx'
import { Footer } from './footer.tsx'
import { Hero } from './hero.tsx'
import { Pricing } from './pricing.tsx'
import { Statistics } from './statistics.tsx'
import { Steps } from './steps.tsx'
import { Testimonials } from './testimonials.tsx'

export function LandingScreen() {
  return (
    <>
      <Hero />
      <Features />
      <Pricing />
      <Testimonials />
      <Statistics />
      <Steps />
      <Faq />
      <FinalCall />
      <Footer />
    </>
  )
}
