"""Mass and material of single lines, and the operation that moved them."""

from __future__ import annotations

from lastro.ids import Origin
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_item, of_note
from tests.evidence import vectors as v
from tests.evidence.test_admit import Known


@triggers("M01")
def bales_and_nothing_that_weighs_them() -> Codes:
    return of_item(unit="FD", quantity="3")


@near_miss("M01")
def bales_that_the_taxable_quantity_weighs() -> Codes:
    return of_item(unit="FD", quantity="3", tax_unit="KG", tax_quantity="1250.0000")


@triggers("M02")
def a_quantity_of_zero() -> Codes:
    return of_item(quantity="0.0000")


@near_miss("M02")
def the_smallest_quantity_that_is_one() -> Codes:
    return of_item(quantity="0.000001", value="0.00")


@triggers("M03")
def tonnes_typed_as_kilograms() -> Codes:
    return of_item(quantity="1.25")


@near_miss("M03")
def the_same_number_as_tonnes() -> Codes:
    return of_item(unit="TON", quantity="1.25")


@triggers("M04")
def finer_than_a_milligram() -> Codes:
    return of_item(quantity="1250.1234567")


@near_miss("M04")
def more_decimals_that_say_nothing() -> Codes:
    return of_item(quantity="1250.1234560")


@triggers("M05")
def two_quantities_a_kilogram_apart() -> Codes:
    return of_item(tax_unit="KG", tax_quantity="1249.0000")


@near_miss("M05")
def the_same_quantity_in_tonnes() -> Codes:
    return of_item(tax_unit="TON", tax_quantity="1.2500")


@triggers("M06")
def new_boxes() -> Codes:
    return of_item(ncm="48191000", description="Caixas de papelão ondulado")


@near_miss("M06")
def waste_of_the_same_paper() -> Codes:
    return of_item(ncm="47079000")


@triggers("M07")
def cardboard_under_the_ncm_of_plastic() -> Codes:
    return of_item(ncm="39159000", description="APARAS DE PAPELÃO", value="1875.00")


@near_miss("M07")
def cardboard_with_a_tape_of_plastic() -> Codes:
    return of_item(description="PAPELÃO COM FITA PLÁSTICA")


@triggers("M08")
def paper_and_plastic_in_one_line() -> Codes:
    return of_item(ncm="47079000", description="PAPEL E PLÁSTICO MISTOS")


@near_miss("M08")
def paper_and_plastic_in_two_lines() -> Codes:
    plastic = v.Item(ncm="39159000", description="PLÁSTICO MISTO", value="1875.00")
    return of_note(v.Note(items=[v.Item(ncm="47079000", description="PAPEL MISTO"), plastic]))


@triggers("M09")
def a_transfer_between_branches() -> Codes:
    return of_item(cfop="5152")


@near_miss("M09")
def a_sale_of_what_was_bought() -> Codes:
    return of_item(cfop="5102")


@triggers("M10")
def a_price_below_the_band() -> Codes:
    return of_item(quantity="1000", value="49.99")


@near_miss("M10")
def the_lowest_price_of_the_band() -> Codes:
    return of_item(quantity="1000", value="50.00")


@triggers("M12")
def two_grams_more_than_the_gross_weight() -> Codes:
    return of_note(v.Note(net=("1250.000",), gross=("1249.998",)))


@near_miss("M12")
def one_gram_more_than_the_gross_weight() -> Codes:
    return of_note(v.Note(net=("1250.000",), gross=("1249.999",)))


@triggers("M13")
def cans_of_aerosol() -> Codes:
    return of_item(ncm="76020000", description="Latas de aerossol", value="7500.00")


@near_miss("M13")
def cans() -> Codes:
    return of_item(ncm="76020000", description="Latas de alumínio", value="7500.00")


@triggers("M14")
def material_of_a_private_recycler() -> Codes:
    return of_note(registry=Known(origins={v.COOP: Origin.PRIVATE_RECYCLER}))


@near_miss("M14")
def material_of_a_municipal_collection() -> Codes:
    return of_note(registry=Known(origins={v.COOP: Origin.MUNICIPAL}))


@triggers("M15")
def the_order_of_a_later_delivery() -> Codes:
    return of_item(cfop="5922")


@near_miss("M15")
def the_delivery_itself() -> Codes:
    return of_item(cfop="5117")
