"""Words that are names of people, in several languages, and words that follow given names without being surnames."""

from __future__ import annotations

__all__ = [
    "CLEAR_TITLES",
    "COMMON_WORDS",
    "GIVEN_NAMES",
    "ORDINARY_NAMES",
    "PARTICLES",
    "SAINTS",
    "SURNAMES",
    "TITLES",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GIVEN_NAMES = _words("""
    aaron abdul abigail abraham adam adela adele adrian adriana agata agnes agnieszka ahmed aisha alain alan albert
    alberto alejandra alejandro aleksander alessandra alessandro alex alexander alexandra alexis alfonso alfred alfredo
    ali alice alicia alison allison alma alvaro alyssa amanda amber amelia amelie amir amy ana anders andre andrea
    andreas andrei andres andrew angel angela angelica angelina anita ann anna anne annette annie anthony antje antoine
    antonio apolonia april ariana arnau arne arnold arthur arturo ashley astrid audrey august aurelie austin axel ayse
    barbara bart bartosz beate beatrice beatriz ben benjamin bernard bernd bernhard bert beth bettina betty beverly
    bianca bill birgit bjorn blanca bob bonnie brad bradley brandon brenda brendan brian brigitte britta brittany bruce
    bruno bryan caitlin camila camille carl carla carles carlo carlos carmen carol carole caroline carolyn catalina
    catarina catherine cathy cecilia cesar chantal charles charlotte cheryl chiara chloe chris christa christian
    christiane christina christine christoph christophe christopher cindy claire clara claude claudia claudio clemens
    clement colin concepcion connie consuelo corinna craig cristian cristina curtis cynthia dagmar damian damien dan
    daniel daniela danielle dario dave david dawn dean deborah debra denis denise dennis derek diana diane diego dieter
    dietmar dimitri dirk dmitri dolores dominic dominik dominique don donald donna dora doris dorothea dorothy doug
    douglas duncan dylan earl eddie edgar eduardo edward edwin eileen elaine eleanor elena eleni elias elisabeth elise
    elizabeth elke ella ellen elsa emil emilia emilie emilio emily emma emmanuel enrico enrique erica erich erik erika
    ernest ernesto ernst esteban esther ethan eugene eva evan evelyn ewa fabian fabio fatima federico felipe felix
    fernando filip fiona florence florian francesca francesco francine francis francisco franck francois francoise frank
    franz fred frederic frederick fredrik friedrich fritz gabriel gabriela gabriele gabrielle gareth gary gemma georg
    george georges gerald gerard gerd gerhard giacomo gianni gilbert gina giorgio giovanna giovanni gisela giulia
    giuseppe gladys glenn gloria gonzalo grace graham greg gregory greta grzegorz guillaume guillermo gunter gustavo guy
    hannah hannes hans harald harold harry hassan hassen heather hector heidi heike heinrich heinz helen helena helene
    helga helmut hendrik henri henrik henry herbert hermann hilda holger holly horst howard hugo ian ibrahim ida ignacio
    igor ines inga ingo ingrid irene irina iris irma isaac isabel isabella isabelle ivan jacek jack jackie jacob
    jacqueline jacques jaime jakob jakub james jamie jan jane janet janice janina jasmin jason javier jean jeanette jeff
    jeffrey jennifer jens jeremy jerome jerry jesse jessica jesus jill jim jimmy joan joana joanna joanne joao joaquin
    joe joel johan johann johanna johannes john johnny jon jonas jonathan joost jordan jordi jorge jose josef joseph
    josephine josh joshua juan juana juanita judith judy jules julia julian juliane julie julien juliette julio jurgen
    justin karen karin karina karl karolina katarina katarzyna kate katharina katherine kathleen kathryn kathy katie
    katja katrin kay keith kelly ken kenneth kerstin kevin kim kimberly kirsten klaus konrad kristen kristin kristina
    krzysztof kurt kyle lara larry lars laura lauren laurence laurent lawrence lea leah lena leo leon leonard leonardo
    leonor leslie leticia liam lidia lili linda linus lisa logan lois lorena lorenzo lori lothar louis louise lourdes
    luc luca lucas lucia lucie lucy ludwig luigi luis luisa lukas lutz lydia lynn maarten madeleine magdalena maja
    malgorzata manfred manuel manuela mara marc marcel marcelo marcin marco marcos marcus margaret margarita margit
    maria marianne mariano marie marina mario marion marisa marius mark markus marlene marta martha martin martina
    martine marvin mary mateusz mathias mathieu mathilde matteo matthew matthias maureen maurice mauricio mauro max
    maximilian megan mehmet melanie melissa merce mercedes michael michal michel michele michelle miguel mike mildred
    milena mireia miriam mohamed mohammed monica monika monique montserrat moritz muhammad mustafa nadia nadine nancy
    naomi natalia natalie natasha nathalie nathan neil nelly nicholas nick nicola nicolas nicole niels nikolai nils nina
    noah noel nora norbert norma nuria olaf oleg olga oliver olivia olivier omar oriol oscar oskar otto pablo pamela
    paola paolo pascal patricia patrick patrizia paul paula paulina pauline pavel pawel pedro penelope pere pete peter
    petra philip philipp philippe phillip phyllis pierre pilar piotr rachel rafael raimund rainer ralf ralph ramon randy
    raphael raquel raul ray raymond rebecca regina reinhard remedios renate renato rene ricardo riccardo richard rita
    rob robert roberta roberto robin rocio rodrigo roger roland rolf roman ron ronald rosa rosario rose rosemary ross
    roxana roy ruben rudolf russell ruth ryan sabine sabrina salvador salvatore sam samantha samir samuel sandra sandro
    santiago sara sarah scott sean sebastian sergei sergio severine shannon sharon shawn sheila shirley silke silvia
    simon simone sofia sofie sonia sonja sophia sophie stacy stanislaw stefan stefanie stefano steffen stephan stephane
    stephanie stephen steve steven stuart susan susana susanne suzanne sven svetlana sybille sylvia sylvie tamara tania
    tanya tara tatiana ted teresa terry theo theodor theresa therese thierry thilo thomas tiffany tim timothy tina
    tobias todd tom tomas tomasz toni tony torsten tracy travis trevor tyler ulrich ulrike ursula uta ute uwe valentina
    valeria valerie vanessa vera verena veronica veronika veronique vicente victor victoria viktor vincent vincenzo
    viola violeta virginia vivian vladimir volker walter wanda warren wayne wendy werner wilhelm william wojciech
    wolfgang xavier yann yasmin yolanda youssef yves yvette yvonne zachary zoe zofia
""")
"""Given names that are frequent in Europe and America, without accents."""

SURNAMES = _words("""
    abbott acosta adams aguilar aguirre ahmed albrecht alexander ali allen almeida alonso alvarez alves andersen anderson
    andersson andrade andrews antunes aragon arias armstrong arnold arroyo arthur atkinson austin bailey baker bakker
    ballard banks barber barbieri barker barnes barnett barrett barros barton batista bauer baumann beck becker bell benitez
    bennett benson berg berger bergmann bernard bertrand bianchi bishop black blake blanc blanchard blanco boer bonnet bos
    boucher bowman boyd bradley brandt braun brinkmann brooks brouwer brown bruce bruno bryant burgess burke burns burton
    busch butler byrne caballero cabrera calvo campbell campos cano caputo cardoso carlson carmona carpenter carr carrasco
    carroll carter caruso castillo castro cavalli chambers chan chandler chapman chavez chen chevalier christensen clark
    clarke clement cohen cole coleman colin collins colombo conti contreras cook cooper correia cortes costa costello cox
    craig crawford crespo cruz cunningham curtis dahl daniels david davies davis dean delgado dias diaz dietrich diez dixon
    doherty dominguez douglas doyle duarte dubois dufour duncan dunn dupont durand edwards eklund elliott ellis engel
    eriksen eriksson erola escobar esposito estrada evans fabre farrell faure ferguson fernandes fernandez ferrara ferrari
    ferreira ferrer fields figueroa fischer fisher fitzgerald fleming fletcher flores flynn fontaine fontana ford foster
    fournier fowler fox francis francois frank franke freeman friedrich fuchs fuentes fuller galindo gallagher gallego gallo
    garcia gardner garnier garrett garrido gauthier george gerard gibson gil gilbert gimenez giordano girard giraud gomes
    gomez goncalves gonzales gonzalez goodman gordon graf graham gray greco green greene gregory griffin griffiths gross
    guerin guerra guerrero guillaume gunther gutierrez guzman haas hahn hall hamilton hansen hanson hansson harper harris
    harrison hart hartmann harvey hawkins hayes heinrich henderson hendriks henry herman hermann hernandez hernando herrera
    herrero herrmann hicks hidalgo hill hoffman hoffmann hofmann holland holm holmes horn howard howell huber hudson hughes
    hunt hunter hussain ibanez iglesias ivanov iversen jackson jacobs jacobsen jager jahn jakobsen james jansen janssen
    jansson jenkins jensen jimenez johansen johansson johnson johnston jones jordan jorgensen joseph joshi jung kaiser
    kaminski karlsson kaufmann keller kelley kelly kennedy khan kim king klein knight koch kohler konig kowalczyk kowalski
    kramer kraus krause kristensen kruger kuhn kumar lambert lang lange larsen larson larsson laurent lawrence lawson
    leblanc leclerc lee lefebvre lefevre legrand lehmann leone leroy lewandowski lewis lindberg lindgren lindqvist lombardi
    long lopes lopez lorenz lorenzo lozano lucas ludwig lund lynch macdonald machado maier maldonado mancini marchand
    marchetti mariani marin marino marques marquez marshall martin martinez martini martins mason masson mateo mateos
    mathieu matthews maurer may mayer mazur mccarthy mcdonald medina meier meijer mendes mendez mendoza menendez mercier
    meunier meyer meyers michel miller mills mitchell mohamed molina moller montero montoya moore mora morales moran moreau
    moreira morel moreno moretti morgan morin morris morrison moser moya muller munoz murphy murray myers navarro nelson
    neumann newman nguyen nichols nicolas nielsen nieto nilsen nilsson noel nowak nunes nunez obrien ochoa oconnor olive
    oliveira oliver olsen olson olsson oneill ortega ortiz osullivan otto owens ozturk pacheco palmer papadopoulos park
    parker parra pascual patel patterson paul payne pedersen pena pereira perez perkins perrin perry persson peters petersen
    peterson petit petrov pfeiffer phillips picard piccolo pierce pinto pires pohl ponce pons porter powell prats price
    prieto quinn ramirez ramos reed reid reis reyes reynolds ribeiro ricci rice richard richards richardson richter riera
    rinaldi rios rivas rivera rivero rizzo robert roberts robertson robin robinson robles roca rocha rodrigues rodriguez
    rogers rojas rojo roland roman romano romero rosales rose rosen ross rossi roth rousseau roussel roux roy rubio ruiz
    russell russo ryan saez salazar salinas salvador sanchez sanders sandoval santana santiago santoro santos sanz sauer
    schaefer schafer scherer schmid schmidt schmitt schmitz schneider schreiber schroder schroeder schubert schulte schulz
    schulze schumacher schuster schwarz scott seidel serra serrano sharma shaw silva simmons simon simpson singer singh
    smirnov smit smith snyder soler solis sommer sorensen soto sousa souza spencer stein stephens stevens stewart stone
    suarez sullivan svensson szymanski taylor teixeira tessier thomas thomason thompson thomsen thomson torra torres tran
    tucker turner urban valdez valencia valentine vargas vasquez vazquez vega velasco vera vidal vieira vila villa
    villanueva vincent visser vogel vogt wagner walker wallace walsh walter wang ward warren washington watkins watson
    weaver webb weber webster weiss welch wells werner west wheeler white wiggins wilkinson williams williamson willis
    wilson winkler winter wisniewski wojcik wolf wolff wong wood woods wright wu yang yilmaz young zamora zapata zhang
    ziegler zimmermann
""")
"""Surnames that are frequent in Europe and America, without accents and apostrophes."""

ORDINARY_NAMES = _words("""
    amber angel april art august austin baker bell bill bishop black blake blanc blanco brown bruce calvo carpenter carr
    chambers charlotte christian cole conti cook cooper dan dawn dean diez dolores don duncan earl fields fisher fleming
    florence ford fox francis frank freeman gardner george gloria grace graf gray green gross guy hall harper hart hill
    holland holly hudson hunt hunter iris jack jackson james jesus jordan joy kay kim king klein knight lang lange lee
    legrand leo leon logan long louis lourdes lund marina mark martini mason max may mercedes mills moral nelly noel
    olive oliver otto page paris park parker pilar porter price ray regina rice rich rob robin rojo roman rosa rosario
    rose ross roy ruby salvador sam san santiago santos scott serra singer sommer spencer stein stone sue summer tyler
    valencia valentine vega vera victoria villa viola violeta virginia walker ward warren washington wayne wells west
    wheeler white will winter wolf wood woods young
""")
"""Names that are ordinary words or places as well; they need one beside them that is none."""

PARTICLES = _words("""
    al bin da das de del della den der di dos du el la las le los mac mc santa st van von y zu
""")
"""Words between a given name and a surname."""

TITLES = _words("""
    dhr doctor doktor dott dottor dottoressa dr dra frau herr madame mevrouw mister mlle mme monsieur mr mrs ms pan pani
    prof professor senor senora senyor senyora sig signor signora sr sra
""")
"""Words before the name of a person."""

CLEAR_TITLES = _words("dr dra prof professor mr mrs sra herr frau mme mlle")
"""Titles that mean nothing else: ``ms`` is a disease, ``pan`` a dish."""

SAINTS = _words("saint san sankt sant santa sao st")
"""Words that make a place of the name behind them."""

COMMON_WORDS = _words("""
    a about account address adult age airport album and animal apartments art artist arts at attorney auf aus author auto
    avec baby bag band bank bar barato beach bei bible bike bilder biography birthday blog boat body book boots born
    boy boys bridge building bus business by cabin cake calendar california camera camp canada canciones canzoni car card
    cards cars cartoon casa cast castle center centre chanson chart chicago chords church cinema city class clinic clip
    clothes clothing club coches code coffee college comics company computer con concert construction contact cookies
    costume costumes county coupon coupons court cream cruise dance dans das dating day dead deal death deere del department
    der design die diet dining direct directions disease dog doll dolls download dress dresses drive dvd ein eine email en
    england escuela estate et facts family fan fashion festival film films fish fishing florida flowers food football for
    forum foto fotos free friends from funeral fur furniture game games garden gedichte gifts girl girls golf graphics
    gratis guitar gym hair haircut hairstyle handbag haus health high history home homes horse hospital hot hotel hoteles
    hotels house how ikea images in inc info insurance interview is island jewelry jobs jokes kids kitchen kostenlos lake
    law lawyer layouts league les letras library lieder life list live loan los lottery love lyric lyrics magazine maison
    mall map maps market marriage married me medical memorial menu meteo mit model models motel mountain movie movies mp3
    museum music my myspace naked net new news nude nyc obituary of office official on online or orchestra org painting
    paintings para paroles parts party patterns pelicula per pharmacy phone photo photos pics picture pictures pizza plants
    play playa poem poems poker por porn port poster pour precio pregnant preise president program property public pumpkin
    quilt quote quotes radio real recetas recette recipe recipes record records rental rentals resort restaurant restaurants
    results review reviews ricette ringtones river road rules salad salary sale schedule school schools schuhe scuola sex
    sexy shirt shirts shoes shop shopping shot show shows site song songs soup speech sports stadium stadt star state store
    stores story street studio style tabs tattoo tattoos team tennis testi texas that the theater theatre tickets tiempo to
    tour tours town toys travel trucks tube tv uk und une university us usa used vacation vacations valley video videos
    village voiture vuelos wallpaper wallpapers war watch watches water weather web website wedding wetter what when where
    who wife wiki wikipedia wine with wohnung works world wrestling yoga you your youtube zip zoo
""")
"""Words that follow given names in searches and are no surnames: ``madonna lyrics``, ``mary poppins film``."""
