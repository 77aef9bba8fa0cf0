/* Rules of single contacts, by a function of the user's: the law of a contact may follow what has
 * become of it, as in hardening and softening (Tasora, Anitescu, Negrini, Negrut 2013, section 8).
 */
#include <string.h>

#include "sim/sim.h"

static SlipBodyId handle_of(const SlipSim *sim, int32_t slot) {
  return (SlipBodyId){slot, sim->bodies.generation[slot]};
}

static SlipRuleContact describe(const SlipSim *sim, const SlipiContact *contact) {
  SlipRuleContact shown = {
      .size = sizeof shown,
      .bodies = {handle_of(sim, contact->body[0]), handle_of(sim, contact->body[1])},
      .key = contact->key,
      .time = slipi_sim_now(sim),
      .gap = contact->gap,
      .drawn = contact->plastic,
      .slid = contact->slid,
      .holds = contact->bonded && !contact->broken};
  memcpy(shown.position, contact->point, sizeof shown.position);
  memcpy(shown.normal, contact->frame[0], sizeof shown.normal);
  memcpy(shown.tangents, contact->frame[1], sizeof shown.tangents);
  memcpy(shown.impulse, contact->impulse, sizeof shown.impulse);
  return shown;
}

/* Speeds below those of a rebound have lost their restitution already. */
static void apply(const SlipContactRule *rule, SlipiContact *contact, bool slow) {
  contact->law = rule->law;
  contact->flow = rule->flow;
  contact->mu = rule->friction;
  contact->restitution = slow ? 0 : rule->restitution;
}

static SlipStatus ask(SlipSim *sim, int32_t index, SlipError *error) {
  SlipiContact *contact = &sim->contacts.at[index];
  SlipContactRule *rule = &sim->own_rule[index];
  SlipRuleContact shown = describe(sim, contact);
  *rule = contact->rule < 0 ? slip_default_contact_rule() : sim->rule[contact->rule];
  bool slow = contact->restitution < rule->restitution;
  sim->rule_function(sim->rule_user, &shown, rule);
  SlipError why;
  if (slipi_sim_check_rule(sim, rule, &why) != SLIP_OK)
    return slipi_fail(
        error, SLIP_ERROR_ARGUMENT,
        "the function of rules was asked about the contact of bodies %d and %d: %.300s",
        (int)contact->body[0], (int)contact->body[1], why.text);
  contact->own = index;
  apply(rule, contact, slow);
  return SLIP_OK;
}

SlipStatus slipi_sim_ask_rules(SlipSim *sim, SlipError *error) {
  SlipStatus status = SLIP_OK;
  if (!sim->rule_function)
    return SLIP_OK;
  if (!SLIPI_ROOM(sim->own_rule, sim->own_capacity, (int64_t)sim->contacts.count))
    return slipi_fail_memory(error, "the rules of a step");
  for (int32_t k = 0; k < sim->contacts.count && status == SLIP_OK; k++)
    status = ask(sim, k, error);
  return status;
}
